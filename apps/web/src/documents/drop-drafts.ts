/** What the names of all that is kept of unsaved texts begin with. */
export const draftPrefix = "signalbox.draft";

/** Who signs out leaves nothing behind, also of the pages that are not open any more. */
export function dropDrafts(shelf: () => Pick<Storage, "length" | "key" | "removeItem">): void {
  try {
    const drafts = shelf();
    const keys = Array.from({ length: drafts.length }, (_, at) => drafts.key(at) ?? "");
    for (const key of keys) if (key.startsWith(`${draftPrefix}/`)) drafts.removeItem(key);
  } catch {
    // A storage that cannot be reached holds nothing of ours either.
  }
}
