import type { StoredDocument } from "./document-queries.ts";

/** What the stream told of a document, and by whom (docs/stream.md). */
export type HeardOfDocument = {
  readonly what: string;
  readonly version: string;
  readonly edit: number | undefined;
  readonly by: string | undefined;
};

/** What others have made of a draft since it was opened here. */
export type DraftNews =
  | { readonly kind: "none" }
  | { readonly kind: "edited"; readonly newest: StoredDocument; readonly by: string | undefined }
  | {
      readonly kind: "closed";
      readonly version: string;
      readonly how: "published" | "retired" | "discarded";
      readonly by: string | undefined;
      readonly at: string | undefined;
      /** What stands under the version now; nothing, where it was discarded. */
      readonly theirs: StoredDocument | undefined;
    };

const none: DraftNews = { kind: "none" };

/** A discarded draft is not found any more; any other is read anew with each event of it. */
export function newsOf(
  own: { version: string; edit: number } | null,
  read: StoredDocument | "gone" | undefined,
  heard: readonly HeardOfDocument[],
): DraftNews {
  if (own === null || read === undefined) return none;
  const { version } = own;
  const told = (what: string, edit?: number) =>
    heard.findLast(
      (one) => one.version === version && one.what === what && (edit === undefined || one.edit === edit),
    )?.by;
  if (read === "gone")
    return {
      kind: "closed",
      version,
      how: "discarded",
      by: told("discarded"),
      at: undefined,
      theirs: undefined,
    };
  if (read.version !== version) return none;
  if (read.status !== "draft") {
    const by = read.publishedBy ?? told("published");
    const how = read.status === "active" ? "published" : "retired";
    return { kind: "closed", version, how, by, at: read.publishedAt ?? undefined, theirs: read };
  }
  return read.edit > own.edit ? { kind: "edited", newest: read, by: told("edited", read.edit) } : none;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** Undefined for an event of another kind of document, or of a form that this release does not know. */
export function heardOf(
  event: { kind: string; data: Readonly<Record<string, unknown>> },
  documentKind: string,
): HeardOfDocument | undefined {
  const { kind, version, edit, by } = event.data;
  if (!event.kind.startsWith("document.") || kind !== documentKind || typeof version !== "string")
    return undefined;
  return {
    what: event.kind.slice("document.".length),
    version,
    edit: typeof edit === "number" ? edit : undefined,
    by: isRecord(by) && typeof by.id === "string" ? by.id : undefined,
  };
}
