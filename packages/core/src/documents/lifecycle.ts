import type { ErrorCode } from "@signalbox/contracts";

/** Where a version stands: it is drafted, published and at last replaced. A replaced one may come back. */
export type DocumentStatus = "draft" | "active" | "retired";

/** A version as far as its life goes. `edit` counts its changes, so that nobody writes over what they have not seen. */
export type DocumentVersion = {
  readonly version: string;
  readonly status: DocumentStatus;
  readonly edit: number;
  readonly text: string;
};

export type DocumentRefusal =
  | { readonly reason: "unknown-version" }
  | { readonly reason: "version-exists" | "not-a-draft"; readonly status: DocumentStatus }
  | { readonly reason: "edit-differs"; readonly edit: number }
  | {
      readonly reason: "active-differs";
      /** What was to be replaced; null for nothing. */
      readonly seen: string | null;
      readonly active: string | undefined;
    };

type Refused = { readonly kind: "refused"; readonly refusal: DocumentRefusal };
type Unchanged = { readonly kind: "unchanged" };
const unchanged: Unchanged = { kind: "unchanged" };
const refused = (refusal: DocumentRefusal): Refused => ({ kind: "refused", refusal });

/** DOC-20: the same text again is answered as the first time, whatever has become of the version since. */
export function decideDraft(
  found: DocumentVersion | undefined,
  text: string,
): Refused | Unchanged | { readonly kind: "created" } {
  if (found === undefined) return { kind: "created" };
  return found.text === text ? unchanged : refused({ reason: "version-exists", status: found.status });
}

/** DOC-21: an edit that is there already is no conflict: its answer may have been lost. */
export function decideEdit(
  found: DocumentVersion | undefined,
  { edit, text }: { edit: number; text: string },
): Refused | Unchanged | { readonly kind: "edited"; readonly edit: number } {
  if (found?.status !== "draft") return refused(notADraft(found));
  if (found.text === text) return unchanged;
  if (found.edit !== edit) return refused({ reason: "edit-differs", edit: found.edit });
  return { kind: "edited", edit: found.edit + 1 };
}

export function decideDiscard(
  found: DocumentVersion | undefined,
  { edit }: { edit: number },
): Refused | { readonly kind: "discarded" } {
  if (found?.status !== "draft") return refused(notADraft(found));
  return found.edit === edit ? { kind: "discarded" } : refused({ reason: "edit-differs", edit: found.edit });
}

/** DOC-22 */
const notADraft = (found: DocumentVersion | undefined): DocumentRefusal =>
  found === undefined ? { reason: "unknown-version" } : { reason: "not-a-draft", status: found.status };

/** What the publisher has seen. What is undefined was not looked at; `replaces` is null where nothing was active. */
export type PublicationSeen = { edit?: number | undefined; replaces?: string | null | undefined };

export type Publication = {
  readonly kind: "published";
  /** The version that is retired by it. */
  readonly retires: string | undefined;
  /** DOC-23: it was active before. */
  readonly rollback: boolean;
};

export function decidePublication(
  found: DocumentVersion | undefined,
  active: DocumentVersion | undefined,
  seen: PublicationSeen,
): Refused | Unchanged | Publication {
  if (found === undefined) return refused({ reason: "unknown-version" });
  if (found.status === "active") return unchanged;
  if (seen.edit !== undefined && seen.edit !== found.edit)
    return refused({ reason: "edit-differs", edit: found.edit });
  if (seen.replaces !== undefined && seen.replaces !== (active?.version ?? null))
    return refused({ reason: "active-differs", seen: seen.replaces, active: active?.version });
  return { kind: "published", retires: active?.version, rollback: found.status === "retired" };
}

/** The answer's code on every transport. */
export const documentRefusalCode: { readonly [R in DocumentRefusal["reason"]]: ErrorCode } = {
  "unknown-version": "NOT_FOUND",
  "version-exists": "INVALID_STATE",
  "not-a-draft": "INVALID_STATE",
  "edit-differs": "VERSION_CONFLICT",
  "active-differs": "VERSION_CONFLICT",
};

const published: Record<DocumentStatus, string> = {
  draft: "a draft",
  active: "published",
  retired: "published, and retired since",
};

/** `document` is what it is called, such as "routing policy 1.2.0". */
export function describeDocumentRefusal(document: string, refusal: DocumentRefusal): string {
  switch (refusal.reason) {
    case "unknown-version":
      return `There is no ${document}.`;
    case "version-exists":
      return `There is a ${document} with another text already; it is ${published[refusal.status]}. Give the text a new version.`;
    case "not-a-draft":
      return `The ${document} is ${published[refusal.status]}, and what was published never changes. Draft a new version.`;
    case "edit-differs":
      return `The ${document} was changed since it was read; it is at edit ${refusal.edit} now. Read it again.`;
    case "active-differs": {
      const active = refusal.active === undefined ? "none is" : `${refusal.active} is`;
      const { seen } = refusal;
      const wanted =
        seen === null ? "nothing was to be active before it" : `it was to take the place of ${seen}`;
      return `The ${document} was not published: ${wanted}, but ${active} active now. Read what is active, and publish again.`;
    }
  }
}
