import { useState } from "react";
import { dropDraft, findDraft, keepDraft, type Shelf, type WorkingDraft } from "./stored-draft.ts";

/** Named at each use: where a browser forbids it, to name it throws, and who asks here is ready for that. */
const shelf: Shelf = {
  getItem: (key) => window.sessionStorage.getItem(key),
  setItem: (key, value) => window.sessionStorage.setItem(key, value),
  removeItem: (key) => window.sessionStorage.removeItem(key),
};

/** Where what is not saved waits for a reload. Who signs out leaves nothing behind (drop-drafts.ts); whose session ran out comes back to it. */
export function useDraftShelf(key: string) {
  const [found] = useState(() => findDraft(shelf, key));
  return {
    /** What was kept when the page opened. */
    found,
    keep: (draft: WorkingDraft, holdsSecret: boolean) => keepDraft(shelf, key, draft, holdsSecret),
    drop: () => dropDraft(shelf, key),
  };
}
