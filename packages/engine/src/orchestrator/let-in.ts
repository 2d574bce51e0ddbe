import { SignalboxError } from "@signalbox/contracts";
import type { Engine } from "../engine.ts";
import { keyNoLongerCounts } from "../identity/confirm-keys.ts";
import type { Fallen } from "../stream/standings.ts";
import type { Asked } from "../system.ts";

type LetIn = {
  /** Aborted once the caller has gone, or is not who they were when they were let in. */
  readonly signal: AbortSignal;
  /** Throws where what they were let in with has ended. */
  readonly refuseEnded: () => void;
  readonly leave: () => void;
};

/** Who waits for a minute may have been shown the door meanwhile: what comes then is not for them. */
export function watchLetIn(
  { standings }: Engine,
  { caller, credential }: Asked,
  gone: AbortSignal | undefined,
): LetIn {
  const over = new AbortController();
  const end = () => over.abort();
  let fallen: Fallen | undefined;
  if (gone?.aborted === true) end();
  gone?.addEventListener("abort", end);
  const stopWatching =
    credential === undefined
      ? undefined
      : standings.watch(credential, caller, (why) => {
          fallen = why;
          end();
        });
  return {
    signal: over.signal,
    refuseEnded: () => {
      if (fallen !== "ended") return;
      if (credential?.kind === "key") throw keyNoLongerCounts();
      throw new SignalboxError("UNAUTHENTICATED", "The session has ended: sign in anew.");
    },
    leave: () => {
      gone?.removeEventListener("abort", end);
      stopWatching?.();
    },
  };
}
