import {
  decidePublication,
  documentEvent,
  documentPublished,
  type DocumentKind,
  readDocument,
} from "@signalbox/core";
import {
  findActiveDocument,
  findDocument,
  listPackIds,
  publishDocument as activate,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { maskSaid, readNote } from "../note.ts";
import { record } from "../record.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { auditContextOf, inTurn, kept } from "./in-turn.ts";
import { documentActions } from "./kinds.ts";
import { refuseDocument, validDocument } from "./refusals.ts";
import { documentForm, type DocumentView, lifeOf, viewOf } from "./view.ts";

/** What a policy may name: every pack that is registered. Templates name none. */
export const knownPacks = async (tx: TenantTransaction, kind: DocumentKind) =>
  kind === "routing-policy" ? new Set(await listPackIds(tx)) : undefined;

/**
 * Makes a draft, or a version that was active before, the active one. It is judged anew, whenever it was written: packs,
 * and the rules themselves, may have changed since.
 */
export async function publishDocument(
  system: System,
  asked: Asked,
  kind: DocumentKind,
  {
    version,
    edit,
    replaces,
    note,
  }: {
    version: string;
    /** The edit that was read; undefined publishes whatever is there. */
    edit?: number | undefined;
    /** The active version that was seen, null where there was none; undefined replaces whatever is there. */
    replaces?: string | null | undefined;
    note?: string | undefined;
  },
): Promise<DocumentView> {
  authorise(asked.caller, documentActions[kind].publish, undefined);
  const read = readNote(note);
  return inTurn(
    system,
    asked,
    async (tx) => {
      const found = await findDocument(tx, kind, version);
      const active = await findActiveDocument(tx, kind);
      const decision = decidePublication(found && lifeOf(found), active && lifeOf(active), {
        edit,
        replaces,
      });
      if (decision.kind === "refused") throw refuseDocument(kind, version, decision.refusal);
      const document = kept(found);
      if (decision.kind === "unchanged") return viewOf(document);
      const known = await knownPacks(tx, kind);
      validDocument(kind, readDocument(kind, document.document, { known, version }));
      const said = await maskSaid(system, tx, read);
      const publishedBy = asked.caller.actor.id;
      kept(await activate(tx, kind, { version, publishedBy, edit: document.edit, note: said }));
      const what = { kind, version, edit: document.edit, note: said, publication: decision };
      await record(tx, ...documentPublished(auditContextOf(asked), what));
      const { retires } = decision;
      const by = asked.caller.actor;
      if (retires !== undefined) await tell(tx, documentEvent("retired", { kind, version: retires }, by));
      await tell(tx, documentEvent("published", { kind, version, edit: document.edit }, by));
      return viewOf(kept(await findDocument(tx, kind, version)));
    },
    documentForm,
  );
}
