import { useEffect, useState } from "react";
import { onSessionNews } from "../session/session-channel.ts";
import { dropDraft, findDraft, keepDraft, type WorkingDraft } from "./stored-draft.ts";

const shelf = () => window.sessionStorage;

/** Where what is not saved waits for a reload. Who signs out leaves nothing behind; whose session ran out comes back to it. */
export function useDraftShelf(key: string) {
  const [found] = useState(() => findDraft(shelf(), key));
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news === "signed-out") dropDraft(shelf(), key);
      }),
    [key],
  );
  return {
    /** What was kept when the page opened. */
    found,
    keep: (draft: WorkingDraft, holdsSecret: boolean) => keepDraft(shelf(), key, draft, holdsSecret),
    drop: () => dropDraft(shelf(), key),
  };
}
