import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ConflictPanel } from "../../documents/conflict-panel.tsx";
import type { StoredDocument } from "../../documents/document-queries.ts";
import { LeaveDialog } from "../../documents/leave-dialog.tsx";
import { PublishDialog } from "../../documents/publish-dialog.tsx";
import type { WorkingDraft } from "../../documents/stored-draft.ts";
import { useLeaveGuard } from "../../documents/use-leave-guard.ts";
import { usePublish, useRefusal } from "../../documents/use-publish.ts";
import { useSave } from "../../documents/use-save.ts";
import { paths } from "../../paths.ts";
import { ProblemNotice } from "../../problem/problem-notice.tsx";
import { problemOf } from "../../problem/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { Plate } from "../../ui/plate.tsx";
import { setVersion } from "../edit-template.ts";
import { kind } from "../template-queries.ts";
import { CommitField } from "./commit-field.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { useCheck } from "./use-check.ts";
import { useTemplateText } from "./use-template-text.ts";

type EditPageProps = {
  templateId: string;
  text: string;
  /** The draft that is edited on; undefined for a new one. */
  draft: StoredDocument | undefined;
  active: StoredDocument | null;
};

const baseOf = ({ text, version, edit }: StoredDocument): WorkingDraft["base"] => ({
  text,
  stored: { version, edit },
});

export function EditPage({ templateId, text: initial, draft, active }: EditPageProps) {
  const state = useTemplateText(initial);
  const { text, templates } = state;
  const check = useCheck(text);
  const navigate = useNavigate();
  const [base, setBase] = useState(draft === undefined ? { text: initial, stored: null } : baseOf(draft));
  const { save, theirs, settle } = useSave(kind);
  const publish = usePublish(kind);
  const unsaved = base.stored === null || text !== base.text;
  const guard = useLeaveGuard(text !== base.text);
  const mayNotDraft = useRefusal(kind, "draft");
  const mayNotPublish = useRefusal(kind, "publish");

  const saveNow = async (): Promise<StoredDocument | undefined> => {
    const saved = await save.mutateAsync({ draft: { text, base }, says: templates.version || undefined });
    if (saved !== undefined) setBase(baseOf(saved));
    return saved;
  };
  const onPublish = async (note: string): Promise<void> => {
    const saved = unsaved ? await saveNow() : base.stored;
    if (saved === undefined || saved === null) return;
    const { version, edit } = saved;
    await publish.mutateAsync({ version, edit, replaces: active?.version ?? null, note });
    guard.letGo();
    const there = templates.templates.some(({ id }) => id === templateId);
    await navigate(there ? paths.template({ templateId, version }) : paths.templates({ version }));
  };

  const hindered =
    (theirs === undefined ? undefined : "Both texts come together first.") ??
    (check.faults.length > 0 ? "The faults come first." : undefined) ??
    (save.isPending || publish.isPending ? "It is on its way." : undefined) ??
    (check.settled ? undefined : "It is being checked.");
  const error = save.error ?? publish.error ?? check.error;
  return (
    <Page
      title={`Edit ${templateId}`}
      heading={<span className="font-mono">{templateId}</span>}
      lead={
        <output className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Plate>{templates.version || "no version"}</Plate>
          <span>{unsaved ? "Not saved yet." : "Saved as a draft."}</span>
        </output>
      }
      actions={
        <div className="flex flex-wrap items-center gap-3">
          <Button
            unavailable={mayNotDraft ?? (unsaved ? hindered : "Everything is saved.")}
            onClick={() => {
              // What failed stands on the page.
              saveNow().catch(() => undefined);
            }}
          >
            Save the draft
          </Button>
          <PublishDialog
            action="Publish"
            what="these templates"
            kind="main"
            question={`Publish templates ${templates.version}?`}
            unavailable={mayNotPublish ?? hindered}
            onConfirm={(note) => {
              onPublish(note).catch(() => undefined);
            }}
          >
            <p>
              {active === null
                ? "They are the first: from then on tasks can ask for them."
                : `They take the place of ${active.version} for tasks that are submitted from then on. Pipelines that run keep theirs.`}
            </p>
          </PublishDialog>
        </div>
      }
    >
      <div className="grid gap-8">
        {error !== null && <ProblemNotice problem={problemOf(error)} />}
        {theirs === undefined ? (
          <>
            <TemplateEditor templateId={templateId} state={state} check={check} />
            <div className="max-w-xl">
              <CommitField
                label="Version"
                hint="What was published never changes: another text is another version."
                value={templates.version}
                onCommit={(version) =>
                  state.apply((now) => setVersion(now, version), `This is version ${version}.`)
                }
              />
            </div>
          </>
        ) : (
          <ConflictPanel
            theirs={theirs}
            base={base.text}
            mine={text}
            onMine={state.type}
            onSettled={(settled) => {
              state.apply(() => ({ kind: "edited", text: settled }), "Both are brought together.");
              setBase(baseOf(theirs));
              settle();
            }}
          />
        )}
      </div>
      <LeaveDialog
        isOpen={guard.blocker.status === "blocked"}
        onStay={() => guard.blocker.reset?.()}
        onLeave={() => guard.blocker.proceed?.()}
      />
    </Page>
  );
}
