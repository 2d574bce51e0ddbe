import type { Caller } from "@signalbox/core";
import { may } from "@signalbox/core/permissions";
import { Link, useNavigate } from "@tanstack/react-router";
import { useMemo } from "react";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Plate } from "../ui/plate.tsx";
import { TemplateGraphView } from "./graph/template-graph-view.tsx";
import { NoSuchTemplate } from "./no-such-template.tsx";
import { StageFacts } from "./stage-facts.tsx";
import { readTemplates } from "./template-graph.ts";
import type { StoredDocument } from "../documents/document-queries.ts";
import { DiscardDraft } from "../documents/discard-draft.tsx";
import { PublishDialog } from "../documents/publish-dialog.tsx";
import { TextDifference } from "../documents/text-difference.tsx";
import { useDiscard, useDiscardedNews } from "../documents/use-discard.ts";
import { usePublish, useRefusal } from "../documents/use-publish.ts";
import { Refusal } from "../problem/refusal.tsx";
import { kind } from "./template-queries.ts";
import { openText } from "./template-text.ts";

export type TemplateView = "graph" | "yaml" | "diff";

type VersionProps = {
  templateId: string;
  document: StoredDocument;
  active: StoredDocument | null;
  session: Caller;
  view: TemplateView;
  stage: string | undefined;
  onStage: (stage: string | undefined) => void;
};

const standing: Readonly<Record<string, string>> = {
  draft: "a draft",
  active: "active: new tasks run it",
  retired: "retired: pipelines that were started with it keep it",
};

export function TemplateVersionPage(props: VersionProps) {
  const { templateId, document, active, session, view, stage, onStage } = props;
  const { version, status, text } = document;
  const navigate = useNavigate();
  const publish = usePublish(kind);
  const mayNotPublish = useRefusal(kind, "publish");
  const isDiscarded = useDiscardedNews(kind, version);
  const discard = useDiscard(kind, () => navigate(paths.templates()));
  const opened = useMemo(() => openText(text), [text]);
  const template =
    opened.kind === "open"
      ? readTemplates(opened.value).templates.find(({ id }) => id === templateId)
      : undefined;
  if (template === undefined || (isDiscarded && !discard.isRunning()))
    return <NoSuchTemplate templateId={templateId} version={version} />;
  const drafting = may(session, "template.draft", undefined);
  const chosen = template.stages.find(({ id }) => id === stage) ?? template.stages[0];
  return (
    <Page
      wide
      title={`${templateId} ${version}`}
      heading={<span className="font-mono">{templateId}</span>}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Plate>{version}</Plate>
          <span>{standing[status]}</span>
          <PutThere by={document} />
        </span>
      }
      actions={
        <div className="flex flex-wrap gap-2">
          {status === "retired" && (
            <PublishDialog
              action="Roll back"
              what={`to ${version}`}
              question={`Roll back to ${version}?`}
              unavailable={mayNotPublish}
              onConfirm={(note) => publish.mutate({ version, replaces: active?.version ?? null, note })}
            >
              <p>
                Every template of {version} takes the place of those of {active?.version ?? "no version"} for
                tasks that are submitted from then on. Pipelines that run keep their own.
              </p>
            </PublishDialog>
          )}
          {status === "draft" && (
            <DiscardDraft
              kind={kind}
              draft={document}
              also=", with every template in it"
              onConfirm={() => discard.mutate(document)}
            />
          )}
          <Button
            kind="main"
            unavailable={drafting.allowed ? undefined : `Not allowed: ${drafting.reason}.`}
            onClick={() => {
              void navigate(paths.editTemplate(templateId, { from: version }));
            }}
          >
            Edit
          </Button>
        </div>
      }
    >
      <nav aria-label="Views" className="mb-6 flex gap-6 border-b border-rule">
        {(["graph", "yaml", "diff"] as const).map((one) => (
          <Link
            key={one}
            {...paths.template({ templateId, version }, one)}
            replace
            resetScroll={false}
            activeOptions={{ exact: true, includeSearch: false }}
            aria-current={view === one ? "page" : undefined}
            className={`-mb-px inline-flex min-h-11 items-center border-b-2 text-sm ${view === one ? "border-ink font-semibold" : "border-transparent text-ink-soft hover:text-ink"}`}
          >
            {viewNames[one]}
          </Link>
        ))}
      </nav>
      {publish.error !== null && <Refusal error={publish.error} />}
      {discard.error !== null && <Refusal error={discard.error} />}
      {view === "diff" && active === null && (
        <p className="text-sm text-ink-soft">No version is active to compare with.</p>
      )}
      {view === "diff" && active !== null && (
        <TextDifference
          before={{ label: `${active.version}, active`, text: active.text }}
          after={{ label: version, text }}
        />
      )}
      {view === "yaml" && <CodeBlock what={`pipeline templates ${version}`} code={text} />}
      {view === "graph" && (
        <div className="grid gap-8">
          {template.description !== "" && <p className="max-w-prose text-ink-soft">{template.description}</p>}
          {template.stages.length === 0 ? (
            <Notice aspect="unlit" title="This template has no stage" />
          ) : (
            <TemplateGraphView template={template} selected={chosen?.id} onSelect={onStage} />
          )}
          {chosen !== undefined && <StageFacts template={template} stage={chosen} />}
        </div>
      )}
    </Page>
  );
}

/** Who answers for what runs, and since when. */
function PutThere({ by: { createdAt, createdBy, publishedAt, publishedBy } }: { by: StoredDocument }) {
  const { nameOf } = usePeople();
  return (
    <span className="anywhere">
      {publishedAt === null ? "Drafted" : "Published"} by {nameOf(publishedBy ?? createdBy)},{" "}
      <Moment at={publishedAt ?? createdAt} />
    </span>
  );
}

const viewNames: Record<TemplateView, string> = {
  graph: "Graph",
  yaml: "YAML",
  diff: "Difference to active",
};
