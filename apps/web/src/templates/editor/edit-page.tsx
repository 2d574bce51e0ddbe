import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ClosedDraft } from "../../documents/closed-draft.tsx";
import { ConflictPanel } from "../../documents/conflict-panel.tsx";
import { oneVersion, type StoredDocument, versionPages } from "../../documents/document-queries.ts";
import { keepingEditor } from "../../documents/kept-editor.ts";
import { knownNames } from "../../documents/known-names.ts";
import { LaterEdit } from "../../documents/later-edit.tsx";
import { LeaveDialog } from "../../documents/leave-dialog.tsx";
import { underVersion } from "../../documents/new-version-text.ts";
import { nextVersion } from "../../documents/next-version.ts";
import { OtherDrafts } from "../../documents/other-drafts.tsx";
import { PublishDialog } from "../../documents/publish-dialog.tsx";
import { draftKey, type WorkingDraft } from "../../documents/stored-draft.ts";
import { useDraftNews } from "../../documents/use-draft-news.ts";
import { useDraftShelf } from "../../documents/use-draft-shelf.ts";
import { useLeaveGuard } from "../../documents/use-leave-guard.ts";
import { usePublish, useRefusal } from "../../documents/use-publish.ts";
import { useSaveKey } from "../../documents/use-save-key.ts";
import { useSave } from "../../documents/use-save.ts";
import { paths } from "../../paths.ts";
import { ProblemNotice } from "../../problem/problem-notice.tsx";
import { problemOf } from "../../problem/problem.ts";
import { currentSession } from "../../session/session.ts";
import { queryClient } from "../../trpc.ts";
import { CommandButton } from "../../ui/command-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Plate } from "../../ui/plate.tsx";
import { setVersion } from "../edit-template.ts";
import { kind, shownTemplates } from "../template-queries.ts";
import { CommitField } from "./commit-field.tsx";
import { TemplateEditor } from "./template-editor.tsx";
import { useTemplateCheck } from "./use-check.ts";
import { useTemplateText } from "./use-template-text.ts";

type EditPageProps = {
  templateId: string;
  /** What a new text is kept under in the browser until it is saved; a draft is kept under its version. */
  name: string;
  text: string;
  /** The draft that is edited on; undefined for a new one. */
  draft: StoredDocument | undefined;
  active: StoredDocument | null;
};

const baseOf = ({ text, version, edit }: StoredDocument): WorkingDraft["base"] => ({
  text,
  stored: { version, edit },
});

export function EditPage({ templateId, name: openedAs, text: initial, draft, active }: EditPageProps) {
  const { data: session } = useSuspenseQuery(currentSession());
  const { data: names } = useSuspenseQuery(knownNames());
  const owner = { tenantId: session?.tenantId ?? "", actorId: session?.actor.id ?? "" };
  const { data: versions } = useInfiniteQuery(versionPages(kind));
  const [name, setName] = useState(openedAs);
  const shelf = useDraftShelf(draftKey(owner, kind, name));
  const state = useTemplateText(shelf.found?.text ?? initial);
  const { text, templates } = state;
  const [base, setBase] = useState(
    shelf.found?.base ?? (draft === undefined ? { text: initial, stored: null } : baseOf(draft)),
  );
  const isChanged = text !== base.text;
  const check = useTemplateCheck(text, ({ faults }) => {
    shelf.keep(
      { text, base },
      faults.some(({ rule }) => rule === "secret"),
    );
  });
  const navigate = useNavigate();
  const { save, theirs, settle, meet } = useSave(kind);
  const publish = usePublish(kind);
  const unsaved = base.stored === null || isChanged;
  const guard = useLeaveGuard(isChanged);
  const mayNotDraft = useRefusal(kind, "draft");
  const mayNotPublish = useRefusal(kind, "publish");
  const { stored } = base;
  const news = useDraftNews(kind, stored, save.isPending || publish.isPending || publish.isSuccess);

  const saveNow = async (
    written: WorkingDraft = { text, base },
    says: string | undefined = templates.version || undefined,
  ): Promise<StoredDocument | undefined> => {
    const saved = await save.mutateAsync({ draft: written, says });
    if (saved === undefined) return undefined;
    shelf.drop();
    setBase(baseOf(saved));
    setName(saved.version);
    queryClient.setQueryData(oneVersion(kind, saved.version).queryKey, saved);
    queryClient.setQueryData(shownTemplates(saved.version).queryKey, saved);
    return saved;
  };
  /** From then on the address leads to what was saved, and not to another beginning. */
  const saveAndGoOn = async (written?: WorkingDraft, says?: string): Promise<void> => {
    const saved = await saveNow(written, says);
    if (saved === undefined || saved.version === stored?.version) return;
    await navigate({ ...paths.editTemplate(templateId, { from: saved.version }), ...keepingEditor });
  };
  const onPublish = async (note: string): Promise<void> => {
    const saved = unsaved ? await saveNow() : stored;
    if (saved === undefined || saved === null) return;
    const { version, edit } = saved;
    await publish.mutateAsync({ version, edit, replaces: active?.version ?? null, note });
    guard.letGo();
    const there = templates.templates.some(({ id }) => id === templateId);
    await navigate(there ? paths.template({ templateId, version }) : paths.templates({ version }));
  };

  const next = nextVersion(
    (versions?.pages ?? []).flatMap((page) => page.versions.map(({ version }) => version)),
  );
  const keepMine = async (): Promise<void> => {
    const mine = { text: underVersion(kind, text, next), base: { text: base.text, stored: null } };
    shelf.drop();
    state.acts.apply(() => ({ kind: "edited", text: mine.text }), `This is version ${next}.`);
    setBase(mine.base);
    settle();
    setName(`${templateId} from ${news.kind === "closed" ? news.version : "nothing"} `);
    // With faults it waits here until they are mended.
    if (check.faults.length === 0) await saveAndGoOn(mine, next);
  };
  const dropMine = async (): Promise<void> => {
    shelf.drop();
    guard.letGo();
    await navigate(
      news.kind === "closed" && news.theirs !== undefined
        ? paths.template({ templateId, version: news.version })
        : paths.templates(),
    );
  };

  const hindered =
    (news.kind === "closed"
      ? `${news.version} is no draft any more: choose below how to go on.`
      : undefined) ??
    (theirs === undefined ? undefined : "Both texts come together first.") ??
    (check.faults.length > 0 ? "The faults come first." : undefined) ??
    (save.isPending || publish.isPending ? "It is on its way." : undefined) ??
    (check.settled ? undefined : "It is being checked.");
  const cannotSave = mayNotDraft ?? (unsaved || news.kind === "closed" ? hindered : "Everything is saved.");
  const onSave = () => {
    // What failed stands on the page.
    if (cannotSave === undefined && !save.isRunning()) saveAndGoOn().catch(() => undefined);
  };
  useSaveKey(onSave);
  const error = save.error ?? publish.error ?? check.error;
  return (
    <Page
      wide
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
          <CommandButton unavailable={cannotSave} onClick={onSave}>
            Save the draft
          </CommandButton>
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
        {shelf.found !== undefined && isChanged && (
          <Notice aspect="unlit" title="What you had not saved was found again in this tab" />
        )}
        {stored === null && (
          <OtherDrafts kind={kind} open={(version) => paths.editTemplate(templateId, { from: version })} />
        )}
        {news.kind === "edited" && theirs === undefined && (
          <LaterEdit edited={news} onSee={() => meet(news.newest)} />
        )}
        {news.kind === "closed" && (
          <ClosedDraft
            closed={news}
            base={base.text}
            mine={text}
            next={next}
            onKeep={() => {
              keepMine().catch(() => undefined);
            }}
            onDrop={() => void dropMine()}
          />
        )}
        {error !== null && <ProblemNotice problem={problemOf(error)} />}
        {theirs === undefined || news.kind === "closed" ? (
          <>
            <TemplateEditor templateId={templateId} state={state} check={check} names={names} />
            <div className="max-w-xl">
              <CommitField
                label="Version"
                hint="What was published never changes: another text is another version."
                value={templates.version}
                onCommit={(version) =>
                  state.acts.apply((now) => setVersion(now, version), `This is version ${version}.`)
                }
              />
            </div>
          </>
        ) : (
          <ConflictPanel
            theirs={theirs}
            by={news.kind === "edited" ? news.by : undefined}
            base={base.text}
            mine={text}
            onMine={state.acts.type}
            onSettled={(settled) => {
              state.acts.apply(() => ({ kind: "edited", text: settled }), "Both are brought together.");
              setBase(baseOf(theirs));
              setName(theirs.version);
              settle();
            }}
          />
        )}
      </div>
      <LeaveDialog
        isOpen={guard.blocker.status === "blocked"}
        onStay={() => guard.blocker.reset?.()}
        onLeave={() => {
          shelf.drop();
          guard.blocker.proceed?.();
        }}
      />
    </Page>
  );
}
