import { useBlocker } from "@tanstack/react-router";
import { useRef } from "react";
import { useEffect } from "react";
import { onSessionNews } from "../session/session-channel.ts";

/** Asks before what is not saved is left. Whose session ended has to leave, and finds the text on coming back. */
export function useLeaveGuard(isChanged: boolean) {
  const hasEnded = useRef(false);
  const saved = useRef(false);
  useEffect(
    () =>
      onSessionNews((news) => {
        if (news === "signed-out" || news === "session-ended") hasEnded.current = true;
      }),
    [],
  );
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      isChanged && !hasEnded.current && !saved.current && current.pathname !== next.pathname,
    enableBeforeUnload: () => isChanged && !hasEnded.current && !saved.current,
    withResolver: true,
  });
  return {
    blocker,
    /** What comes next is the way on from a text that was saved. */
    letGo: () => {
      saved.current = true;
    },
  };
}
