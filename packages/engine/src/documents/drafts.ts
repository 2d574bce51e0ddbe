import {
  decideDiscard,
  decideDraft,
  decideEdit,
  documentDiscarded,
  documentDrafted,
  documentEdited,
  documentEvent,
  type DocumentKind,
  readDocument,
} from "@signalbox/core";
import {
  discardDraft as deleteDraft,
  findDocument,
  insertDraft,
  updateDraft as changeDraft,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { maskSaid, readNote } from "../note.ts";
import { record } from "../record.ts";
import { tell } from "../stream/tell.ts";
import type { KeptForm } from "../once/kept-form.ts";
import type { Asked, System } from "../system.ts";
import { auditContextOf, inTurn, kept } from "./in-turn.ts";
import { documentActions } from "./kinds.ts";
import { refuseDocument, validDocument } from "./refusals.ts";
import { documentForm, type DocumentView, lifeOf, viewOf } from "./view.ts";

type Draft = { text: string; note?: string | undefined };

const createdForm: KeptForm<{ document: DocumentView; created: boolean }> = {
  write: ({ document, created }) => `{"created":${created},"document":${documentForm.write(document)}}`,
  read(text) {
    const { created, document }: { created: boolean; document: unknown } = JSON.parse(text);
    return { created, document: documentForm.read(JSON.stringify(document)) };
  },
};

/** Keeps a new version as a draft. The text names the version; the same text again is answered as the first time. */
export async function createDraft(
  system: System,
  asked: Asked,
  kind: DocumentKind,
  { text, note }: Draft,
): Promise<{ document: DocumentView; created: boolean }> {
  authorise(asked.caller, documentActions[kind].draft, undefined);
  const { version } = validDocument(kind, readDocument(kind, text));
  const read = readNote(note);
  return inTurn(
    system,
    asked,
    async (tx) => {
      const found = await findDocument(tx, kind, version);
      const decision = decideDraft(found && lifeOf(found), text);
      if (decision.kind === "refused") throw refuseDocument(kind, version, decision.refusal);
      if (found !== undefined) return { document: viewOf(found), created: false };
      const said = await maskSaid(system, tx, read);
      const createdBy = asked.caller.actor.id;
      const inserted = await insertDraft(tx, kind, { version, document: text, note: said, createdBy });
      await record(tx, documentDrafted(auditContextOf(asked), { kind, version, note: said }));
      await tell(tx, documentEvent("drafted", { kind, version }, asked.caller.actor));
      return { document: viewOf(kept(inserted)), created: true };
    },
    createdForm,
  );
}

/** Changes a draft that is still at the edit which the caller has read. */
export async function updateDraft(
  system: System,
  asked: Asked,
  kind: DocumentKind,
  { version, edit, text, note }: Draft & { version: string; edit: number },
): Promise<DocumentView> {
  authorise(asked.caller, documentActions[kind].draft, undefined);
  validDocument(kind, readDocument(kind, text, { version }));
  const read = readNote(note);
  return inTurn(system, asked, async (tx) => {
    const found = await findDocument(tx, kind, version);
    const decision = decideEdit(found && lifeOf(found), { edit, text });
    if (decision.kind === "refused") throw refuseDocument(kind, version, decision.refusal);
    if (decision.kind === "unchanged") return viewOf(kept(found));
    const said = await maskSaid(system, tx, read);
    const changed = kept(await changeDraft(tx, kind, { version, edit, document: text, note: said }));
    await record(
      tx,
      documentEdited(auditContextOf(asked), { kind, version, edit: changed.edit, note: said }),
    );
    await tell(tx, documentEvent("edited", { kind, version, edit: changed.edit }, asked.caller.actor));
    return viewOf(changed);
  });
}

export async function discardDraft(
  system: System,
  asked: Asked,
  kind: DocumentKind,
  { version, edit }: { version: string; edit: number },
): Promise<void> {
  authorise(asked.caller, documentActions[kind].draft, undefined);
  await inTurn(system, asked, async (tx) => {
    const found = await findDocument(tx, kind, version);
    const decision = decideDiscard(found && lifeOf(found), { edit });
    if (decision.kind === "refused") throw refuseDocument(kind, version, decision.refusal);
    kept((await deleteDraft(tx, kind, { version, edit })) || undefined);
    await record(tx, documentDiscarded(auditContextOf(asked), { kind, version }));
    await tell(tx, documentEvent("discarded", { kind, version }, asked.caller.actor));
  });
}
