import { useSuspenseQuery } from "@tanstack/react-query";
import { createFileRoute, Link, notFound, useNavigate } from "@tanstack/react-router";
import { DiscardDraft } from "../../../documents/discard-draft.tsx";
import { DocumentStatus } from "../../../documents/document-status.tsx";
import { activeVersion, oneVersion, type StoredDocument } from "../../../documents/document-queries.ts";
import { TextDifference } from "../../../documents/text-difference.tsx";
import { useDiscard, useDiscardedNews } from "../../../documents/use-discard.ts";
import { useRefusal } from "../../../documents/use-publish.ts";
import { usePeople } from "../../../escalations/people.ts";
import { paths } from "../../../paths.ts";
import { outlineOf } from "../../../policies/policy-outline.ts";
import { RouteLines } from "../../../policies/route-lines.tsx";
import { isNotFound } from "../../../problem/problem.ts";
import { Refusal } from "../../../problem/refusal.tsx";
import { queryClient } from "../../../trpc.ts";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { Moment } from "../../../ui/moment.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { Fact, Panel } from "../../../ui/panel.tsx";
import { Plate } from "../../../ui/plate.tsx";

const kind = "routing-policy";

export const Route = createFileRoute("/_panel/policies/$version")({
  validateSearch: ({ view }): { view?: "difference" } => (view === "difference" ? { view } : {}),
  loader: async ({ params }) => {
    try {
      await Promise.all([
        queryClient.ensureQueryData(oneVersion(kind, params.version)),
        queryClient.ensureQueryData(activeVersion(kind)),
      ]);
    } catch (error) {
      if (isNotFound(error)) throw notFound();
      throw error;
    }
  },
  component: Policy,
  notFoundComponent: NoSuchPolicy,
});

function Policy() {
  const navigate = useNavigate();
  const { version } = Route.useParams();
  const isDiscarded = useDiscardedNews(kind, version);
  const discard = useDiscard(kind, () => navigate(paths.policies()));
  const { view } = Route.useSearch();
  const { data: document } = useSuspenseQuery(oneVersion(kind, version));
  const { data: active } = useSuspenseQuery(activeVersion(kind));
  const mayNotDraft = useRefusal(kind, "draft");
  if (isDiscarded && !discard.isRunning()) return <NoSuchPolicy />;
  const editor =
    document.status === "draft" ? paths.policyEditor({ version }) : paths.policyEditor({ from: version });
  return (
    <Page
      title={`Routing policy ${version}`}
      heading={
        <>
          Routing policy <span className="font-mono">{version}</span>
        </>
      }
      lead={<DocumentStatus status={document.status} />}
      actions={
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
          {mayNotDraft === undefined && (
            <Link {...editor} className="font-medium underline underline-offset-4">
              {document.status === "draft" ? "Edit this draft" : "Edit as a new version"}
            </Link>
          )}
          {document.status === "draft" && (
            <DiscardDraft kind={kind} draft={document} onConfirm={() => discard.mutate(document)} />
          )}
        </div>
      }
    >
      {discard.error !== null && (
        <div className="mb-6">
          <Refusal error={discard.error} />
        </div>
      )}
      <nav aria-label="Views" className="mb-6 flex gap-6 border-b border-rule">
        <View link={paths.policy(version)} current={view === undefined} name="Policy" />
        <View
          link={paths.policy(version, "difference")}
          current={view === "difference"}
          name="Beside the one in force"
        />
      </nav>
      {view === "difference" ? (
        <Difference document={document} active={active} />
      ) : (
        <Reading document={document} />
      )}
    </Page>
  );
}

function Difference({ document, active }: { document: StoredDocument; active: StoredDocument | null }) {
  if (active === null)
    return <p className="text-sm text-ink-soft">No version is in force to compare with.</p>;
  return (
    <TextDifference
      before={{ label: `${active.version}, in force`, text: active.text }}
      after={{ label: document.version, text: document.text }}
    />
  );
}

function Reading({ document }: { document: StoredDocument }) {
  const { nameOf } = usePeople();
  const outline = outlineOf(document.text);
  return (
    <div className="grid gap-12">
      {outline !== undefined && (
        <Panel heading="Routes">
          <RouteLines outline={outline} />
        </Panel>
      )}
      <div className="grid items-start gap-12 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
        <Panel heading="On record">
          <dl>
            <Fact name="Drafted">
              <Moment at={document.createdAt} exact /> by {nameOf(document.createdBy)}
            </Fact>
            {document.publishedAt !== null && (
              <Fact name="Published">
                <Moment at={document.publishedAt} exact /> by{" "}
                {document.publishedBy === null ? "nobody known" : nameOf(document.publishedBy)}
              </Fact>
            )}
            {document.retiredAt !== null && (
              <Fact name="Retired">
                <Moment at={document.retiredAt} exact />
              </Fact>
            )}
            <Fact name="Edit">{document.edit}</Fact>
            <Fact name="Note">{document.note === "" ? "none" : document.note}</Fact>
          </dl>
        </Panel>
        <Panel heading="As it was written">
          <CodeBlock what="the policy" code={document.text} />
        </Panel>
      </div>
    </div>
  );
}

function View(props: { link: ReturnType<typeof paths.policy>; current: boolean; name: string }) {
  return (
    <Link
      {...props.link}
      replace
      activeOptions={{ exact: true, includeSearch: true }}
      className={`-mb-px inline-flex min-h-11 items-center border-b-2 text-sm ${props.current ? "border-ink font-semibold" : "border-transparent text-ink-soft hover:text-ink"}`}
    >
      {props.name}
    </Link>
  );
}

function NoSuchPolicy() {
  const { version } = Route.useParams();
  return (
    <Page title="No such policy version">
      <Notice aspect="unlit" title="This version of the routing policy is not here">
        <p>
          There is no version <Plate>{version}</Plate>: it may be mistyped, or its draft was discarded.
        </p>
        <p>
          <Link {...paths.policies()} className="font-medium underline underline-offset-4">
            Show all versions
          </Link>
        </p>
      </Notice>
    </Page>
  );
}
