import { useEffect, useState } from "react";
import { onSessionNews } from "../session/session-channel.ts";
import { dropDraft, findDraft, keepDraft, type WorkingDraft } from "./stored-draft.ts";

const shelf = () => window.sessionStorage;

/** The text that somebody writes, and what it began as; found again after a reload. */
export function useWorkingDraft(key: string, initial: WorkingDraft) {
  const [found] = useState(() => findDraft(shelf(), key));
  const [draft, setDraft] = useState<WorkingDraft>(found ?? initial);

  // Who signs out leaves nothing behind; whose session ran out comes back to it.
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news === "signed-out") dropDraft(shelf(), key);
      }),
    [key],
  );

  return {
    draft,
    restored: found !== undefined,
    isChanged: draft.text !== draft.base.text,
    setText: (text: string) => setDraft((before) => ({ ...before, text })),
    /** From now on it began as this. */
    rebase: (base: WorkingDraft["base"]) => setDraft((before) => ({ ...before, base })),
    replace: (next: WorkingDraft) => setDraft(next),
    keep: (holdsSecret: boolean) => keepDraft(shelf(), key, draft, holdsSecret),
    drop: () => dropDraft(shelf(), key),
  };
}
