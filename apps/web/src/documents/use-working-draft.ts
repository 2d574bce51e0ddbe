import { useState } from "react";
import type { WorkingDraft } from "./stored-draft.ts";
import { useDraftShelf } from "./use-draft-shelf.ts";

/** The text that somebody writes, and what it began as; found again after a reload. */
export function useWorkingDraft(key: string, initial: WorkingDraft) {
  const shelf = useDraftShelf(key);
  const [draft, setDraft] = useState<WorkingDraft>(shelf.found ?? initial);
  return {
    draft,
    restored: shelf.found !== undefined,
    isChanged: draft.text !== draft.base.text,
    setText: (text: string) => setDraft((before) => ({ ...before, text })),
    /** From now on it began as this. */
    rebase: (base: WorkingDraft["base"]) => setDraft((before) => ({ ...before, base })),
    replace: (next: WorkingDraft) => setDraft(next),
    keep: (holdsSecret: boolean) => shelf.keep(draft, holdsSecret),
    drop: shelf.drop,
  };
}
