import { useInfiniteQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { CheckPanel } from "../documents/check-panel.tsx";
import { ClosedDraft } from "../documents/closed-draft.tsx";
import { ConflictPanel } from "../documents/conflict-panel.tsx";
import {
  activeVersion,
  type DocumentCheck,
  oneVersion,
  versionPages,
} from "../documents/document-queries.ts";
import type { Mark } from "../documents/editor/mount-editor.ts";
import { keepingEditor } from "../documents/kept-editor.ts";
import { LaterEdit } from "../documents/later-edit.tsx";
import { LeaveDialog } from "../documents/leave-dialog.tsx";
import { underVersion } from "../documents/new-version-text.ts";
import { nextVersion } from "../documents/next-version.ts";
import { OtherDrafts } from "../documents/other-drafts.tsx";
import { PublishDialog } from "../documents/publish-dialog.tsx";
import { draftKey, type WorkingDraft } from "../documents/stored-draft.ts";
import { TextDifference } from "../documents/text-difference.tsx";
import { TextEditor } from "../documents/text-editor.tsx";
import { useCheck } from "../documents/use-check.ts";
import { useDraftNews } from "../documents/use-draft-news.ts";
import { useLeaveGuard } from "../documents/use-leave-guard.ts";
import { usePublish, useRefusal } from "../documents/use-publish.ts";
import { useSaveKey } from "../documents/use-save-key.ts";
import { useSave } from "../documents/use-save.ts";
import { useWorkingDraft } from "../documents/use-working-draft.ts";
import { paths } from "../paths.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { currentSession } from "../session/session.ts";
import { queryClient } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Panel } from "../ui/panel.tsx";
import { knownNames } from "../documents/known-names.ts";
import { policyCompletions } from "./policy-completions.ts";
import { PolicyForm } from "./policy-form.tsx";
import type { OpenedPolicy } from "./opening-policy.ts";
import { outlineOf } from "./policy-outline.ts";
import { SimulationPanel } from "./simulation-panel.tsx";
import { type EditorView, EditorViews } from "./editor-views.tsx";

const kind = "routing-policy";

const marksOf = ({ faults, findings }: DocumentCheck): Mark[] => [
  ...faults.map(({ line, column, message }) => ({ line, column, message, severity: "error" as const })),
  ...findings.flatMap(({ line, column, message, severity }) =>
    severity === "warning" ? [{ line, column, message, severity }] : [],
  ),
];

/** One document, written as a form or as YAML; checked as one writes; kept, compared and published. */
export function PolicyEditor(opened: OpenedPolicy) {
  const navigate = useNavigate();
  const { data: session } = useSuspenseQuery(currentSession());
  const { data: names } = useSuspenseQuery(knownNames());
  const { data: active } = useSuspenseQuery(activeVersion(kind));
  const { data: versions } = useInfiniteQuery(versionPages(kind));
  const owner = { tenantId: session?.tenantId ?? "", actorId: session?.actor.id ?? "" };
  const [name, setName] = useState(opened.name);
  const work = useWorkingDraft(draftKey(owner, kind, name), opened.initial);
  const { draft, isChanged, setText } = work;
  const { stored } = draft.base;
  const [view, setView] = useState<EditorView>("form");
  const [place, setPlace] = useState<{ line: number; column: number }>();
  const check = useCheck(kind, draft.text, ({ faults }) =>
    work.keep(faults.some(({ rule }) => rule === "secret")),
  );
  const { save, theirs, settle, meet } = useSave(kind);
  const publish = usePublish(kind);
  const guard = useLeaveGuard(isChanged);
  const news = useDraftNews(kind, stored, save.isPending || publish.isPending || publish.isSuccess);

  const outline = outlineOf(draft.text);
  const says = outline?.version || undefined;
  const isChecked = check.kind === "told" && check.text === draft.text;
  const faults = check.kind === "told" ? check.check.faults : [];
  const mayNotDraft = useRefusal(kind, "draft");
  const mayNotPublish = useRefusal(kind, "publish");
  const isFaulty = isChecked && faults.length > 0;
  const isNew = stored === null;
  const closed =
    news.kind === "closed" ? `${news.version} is no draft any more: choose below how to go on.` : undefined;
  const cannotSave =
    mayNotDraft ??
    closed ??
    (theirs !== undefined ? "Both texts come together first." : undefined) ??
    (!isChanged && !isNew ? "Everything is saved." : undefined) ??
    (isFaulty ? "The faults below come first." : undefined) ??
    (save.isPending ? "It is being saved." : undefined);
  const cannotPublish =
    mayNotPublish ??
    closed ??
    (isFaulty ? "The faults below come first." : undefined) ??
    (theirs !== undefined ? "Both texts come together first." : undefined) ??
    (publish.isPending ? "It is being published." : undefined);

  const saveNow = async (written: WorkingDraft = draft, version: string | undefined = says) => {
    const saved = await save.mutateAsync({ draft: written, says: version });
    if (saved === undefined) return undefined;
    work.drop();
    setName(saved.version);
    work.rebase({ text: saved.text, stored: { version: saved.version, edit: saved.edit } });
    queryClient.setQueryData(oneVersion(kind, saved.version).queryKey, saved);
    return saved;
  };
  const saveAndGoOn = async (written?: WorkingDraft, version?: string) => {
    const saved = await saveNow(written, version);
    if (saved === undefined || saved.version === stored?.version) return;
    await navigate({ ...paths.policyEditor({ version: saved.version }), ...keepingEditor });
  };
  const onSave = () => {
    // What failed stands on the page.
    if (cannotSave === undefined && !save.isRunning()) saveAndGoOn().catch(() => undefined);
  };
  const onPublish = async (note: string) => {
    const saved = isChanged || stored === null ? await saveNow() : stored;
    if (saved === undefined) return;
    const { version, edit } = saved;
    await publish.mutateAsync({ version, edit, replaces: active?.version ?? null, note });
    guard.letGo();
    await navigate(paths.policy(version));
  };
  const next = nextVersion(
    (versions?.pages ?? []).flatMap((page) => page.versions.map(({ version }) => version)),
  );
  const keepMine = async () => {
    const text = underVersion(kind, draft.text, next);
    const mine = { text, base: { text: draft.base.text, stored: null } };
    work.drop();
    work.replace(mine);
    settle();
    setName(`from ${news.kind === "closed" ? news.version : "nothing"}`);
    // With faults it waits here until they are mended.
    if (!isFaulty) await saveAndGoOn(mine, next);
  };
  const dropMine = async () => {
    work.drop();
    guard.letGo();
    await navigate(
      news.kind === "closed" && news.theirs !== undefined ? paths.policy(news.version) : paths.policies(),
    );
  };

  useSaveKey(onSave);

  const marks = useMemo(() => (check.kind === "told" ? marksOf(check.check) : []), [check]);
  const error = save.error ?? publish.error;
  return (
    <Page
      title={stored === null ? "New routing policy" : `Editing routing policy ${stored.version}`}
      heading={<Heading says={says} isReadable={outline !== undefined} />}
      lead={
        <output>
          {isChanged
            ? "Changed, and not saved yet."
            : isNew
              ? "A new version, not saved yet."
              : "Saved as a draft."}
        </output>
      }
      actions={
        <div className="flex flex-wrap items-center gap-3">
          <CommandButton onClick={onSave} unavailable={cannotSave}>
            Save the draft
          </CommandButton>
          <PublishDialog
            action="Publish"
            what="this policy"
            kind="main"
            question={`Publish routing policy ${says ?? ""}?`}
            unavailable={cannotPublish}
            onConfirm={(note) => {
              onPublish(note).catch(() => undefined);
            }}
          >
            <p>
              {active === null
                ? "It is the first: from then on tasks have routes."
                : `It takes the place of ${active.version} for every dispatch from then on. ${active.version} can be brought back in two clicks.`}
            </p>
          </PublishDialog>
        </div>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
        {work.restored && isChanged && (
          <Notice aspect="unlit" title="What you had not saved was found again in this tab" />
        )}
        {error !== null && <ProblemNotice problem={problemOf(error)} />}
        {isNew && <OtherDrafts kind={kind} open={(version) => paths.policyEditor({ version })} />}
        {news.kind === "edited" && theirs === undefined && (
          <LaterEdit edited={news} onSee={() => meet(news.newest)} />
        )}
        {news.kind === "closed" && (
          <ClosedDraft
            closed={news}
            base={draft.base.text}
            mine={draft.text}
            next={next}
            onKeep={() => {
              keepMine().catch(() => undefined);
            }}
            onDrop={() => void dropMine()}
          />
        )}
        {theirs === undefined || news.kind === "closed" ? (
          <>
            <EditorViews view={view} onView={setView} />
            <div hidden={view !== "form"}>
              <PolicyForm
                text={draft.text}
                onText={setText}
                names={names}
                faults={faults}
                refusal={mayNotDraft}
              />
            </div>
            <div hidden={view !== "yaml"}>
              <TextEditor
                label="The policy as YAML"
                text={draft.text}
                onText={setText}
                marks={marks}
                goTo={place}
                complete={(text, offset) => policyCompletions(text, offset, names)}
              />
              <p className="mt-2 text-sm text-ink-soft">
                Ctrl-Space offers names, Ctrl-F searches, Ctrl-S saves; Tab goes on to the next control.
              </p>
            </div>
            <div hidden={view !== "simulation"}>
              <SimulationPanel text={draft.text} isFaulty={isFaulty} />
            </div>
            {view === "difference" && (
              <TextDifference
                before={{
                  label: active === null ? "nothing in force" : `${active.version}, in force`,
                  text: active?.text ?? "",
                }}
                after={{ label: "this draft", text: draft.text }}
              />
            )}
          </>
        ) : (
          <ConflictPanel
            theirs={theirs}
            by={news.kind === "edited" ? news.by : undefined}
            base={draft.base.text}
            mine={draft.text}
            onMine={setText}
            onSettled={(text) => {
              const { version, edit } = theirs;
              work.replace({ text, base: { text: theirs.text, stored: { version, edit } } });
              settle();
            }}
          />
        )}
        <Panel heading="Check">
          <CheckPanel
            state={check}
            text={draft.text}
            onPlace={(to) => {
              setView("yaml");
              setPlace({ ...to });
            }}
          />
        </Panel>
      </div>
      <LeaveDialog
        isOpen={guard.blocker.status === "blocked"}
        onStay={() => guard.blocker.reset?.()}
        onLeave={() => {
          work.drop();
          guard.blocker.proceed?.();
        }}
      />
    </Page>
  );
}

/** While the text cannot be read, it is still what it said it was. */
function Heading({ says, isReadable }: { says: string | undefined; isReadable: boolean }) {
  const [last, setLast] = useState(says);
  if (isReadable && says !== last) setLast(says);
  const version = isReadable ? says : last;
  if (version === undefined) return <>Routing policy</>;
  return (
    <>
      Routing policy <span className="font-mono">{version}</span>
    </>
  );
}
