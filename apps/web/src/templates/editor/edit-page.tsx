import type { Caller } from "@signalbox/core";
import { may } from "@signalbox/core/permissions";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { paths } from "../../paths.ts";
import { ProblemNotice } from "../../problem/problem-notice.tsx";
import { problemOf } from "../../problem/problem.ts";
import { client } from "../../trpc.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";
import { Page } from "../../ui/page.tsx";
import { Panel } from "../../ui/panel.tsx";
import { Plate } from "../../ui/plate.tsx";
import { setVersion } from "../edit-template.ts";
import { lookAgainAtTemplates, type TemplatesVersion } from "../template-queries.ts";
import { CommitField } from "./commit-field.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { useCheck } from "./use-check.ts";
import { useTemplateText } from "./use-template-text.ts";

type EditPageProps = {
  templateId: string;
  session: Caller;
  text: string;
  /** The draft that is edited on; undefined for a new one. */
  draft: TemplatesVersion | undefined;
  active: TemplatesVersion | null;
};

const kind = "pipeline-templates";

export function EditPage({ templateId, session, text: initial, draft, active }: EditPageProps) {
  const state = useTemplateText(initial);
  const check = useCheck(state.text);
  const navigate = useNavigate();
  const [note, setNote] = useState("");
  const [edit, setEdit] = useState(
    draft === undefined ? undefined : { version: draft.version, edit: draft.edit },
  );
  const [saved, setSaved] = useState(draft === undefined ? undefined : initial);
  const { text, templates } = state;
  const unsaved = text !== saved;
  useLeaveWarning(unsaved && state.changed);

  /** The draft as it stands; a version that is no draft yet becomes one. */
  async function save() {
    if (edit !== undefined && edit.version === templates.version) {
      if (!unsaved) return edit;
      const document = await client.documents.edit.mutate({ kind, ...edit, text });
      return kept(document);
    }
    const { document } = await client.documents.draft.mutate({ kind, text, ...(note !== "" && { note }) });
    return kept(document);
  }
  function kept(document: TemplatesVersion) {
    setSaved(text);
    const now = { version: document.version, edit: document.edit };
    setEdit(now);
    return now;
  }
  const saving = useMutation({
    mutationFn: save,
    onSuccess: () => lookAgainAtTemplates(),
  });
  const publishing = useMutation({
    mutationFn: async () => {
      const now = await save();
      const replaces = active?.version ?? null;
      return client.documents.publish.mutate({ kind, ...now, replaces, ...(note !== "" && { note }) });
    },
    onSuccess: async ({ version }) => {
      await lookAgainAtTemplates();
      const there = templates.templates.some(({ id }) => id === templateId);
      await navigate(there ? paths.template({ templateId, version }) : paths.templates({ version }));
    },
  });
  const failed = saving.error ?? publishing.error;
  const drafts = may(session, "template.draft", undefined);
  const publishes = may(session, "template.publish", undefined);
  const busy = saving.isPending || publishing.isPending ? "Signalbox is being asked." : undefined;
  const faulty =
    check.faults.length > 0
      ? "There are faults; see them below."
      : check.settled
        ? undefined
        : "The text is being checked.";
  return (
    <Page
      title={`Edit ${templateId}`}
      heading={<span className="font-mono">{templateId}</span>}
      lead={
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Plate>{templates.version || "no version"}</Plate>
          <span>{unsaved ? "not saved yet" : "saved as a draft"}</span>
        </span>
      }
    >
      <div className="grid gap-12">
        <TemplateEditor templateId={templateId} state={state} check={check} />
        <Panel heading="Save and publish">
          <div className="grid max-w-xl gap-4">
            <CommitField
              label="Version"
              hint="What was published never changes: another text is another version."
              value={templates.version}
              onCommit={(version) =>
                state.apply((now) => setVersion(now, version), `This is version ${version}.`)
              }
            />
            <Field label="What changed, for the record" value={note} onValue={setNote} maxLength={2000} />
            <div className="flex flex-wrap gap-2">
              <Button
                unavailable={
                  drafts.allowed
                    ? (busy ?? faulty ?? (unsaved ? undefined : "It is saved."))
                    : `Not allowed: ${drafts.reason}.`
                }
                onClick={() => saving.mutate()}
              >
                Save the draft
              </Button>
              <Button
                kind="main"
                unavailable={publishes.allowed ? (busy ?? faulty) : `Not allowed: ${publishes.reason}.`}
                onClick={() => publishing.mutate()}
              >
                Publish
              </Button>
            </div>
            {failed !== null && <ProblemNotice problem={problemOf(failed)} />}
          </div>
        </Panel>
      </div>
    </Page>
  );
}

/** Closing the tab would lose what was drawn. */
function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [active]);
}
