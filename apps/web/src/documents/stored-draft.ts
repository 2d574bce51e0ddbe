import { draftPrefix } from "./drop-drafts.ts";

/**
 * What somebody writes, kept until it is saved: in this tab's session storage, so that a reload or a crash loses
 * nothing, two tabs do not write over each other, and closing the tab leaves nothing behind. Of a document,
 * what the server's reader takes for a secret is never kept (`keepDraft` is called with its word).
 */
export type WorkingDraft = {
  readonly text: string;
  readonly base: DraftBase;
};

/** What a text began as, and which edit of which draft that is; null where it is not on the server yet. */
type DraftBase = {
  readonly text: string;
  readonly stored: { readonly version: string; readonly edit: number } | null;
};

/** The part of the browser's Storage that is used here. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem">;

export const draftKey = (owner: { tenantId: string; actorId: string }, kind: string, name: string) =>
  [draftPrefix, owner.tenantId, owner.actorId, kind, name].map(encodeURIComponent).join("/");

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Undefined where there is none, or where it is of another form than this release writes. */
export function findDraft(shelf: Shelf, key: string): WorkingDraft | undefined {
  try {
    const read: unknown = JSON.parse(shelf.getItem(key) ?? "null");
    if (!isRecord(read) || typeof read.text !== "string" || !isRecord(read.base)) return undefined;
    const { text, stored } = read.base;
    if (typeof text !== "string") return undefined;
    if (stored === null) return { text: read.text, base: { text, stored } };
    if (!isRecord(stored) || typeof stored.version !== "string" || typeof stored.edit !== "number")
      return undefined;
    const { version, edit } = stored;
    return { text: read.text, base: { text, stored: { version, edit } } };
  } catch {
    return undefined;
  }
}

/** Says whether it is kept: a full or a forbidden storage is no reason to stop somebody who writes. */
export function keepDraft(shelf: Shelf, key: string, draft: WorkingDraft, holdsSecret: boolean): boolean {
  try {
    if (holdsSecret || draft.text === draft.base.text) {
      shelf.removeItem(key);
      return false;
    }
    shelf.setItem(key, JSON.stringify(draft));
    return true;
  } catch {
    return false;
  }
}

export function dropDraft(shelf: Shelf, key: string): void {
  try {
    shelf.removeItem(key);
  } catch {
    // A storage that cannot be reached holds nothing of ours either.
  }
}
