import { useEffect, useEffectEvent, useState } from "react";
import { onRecovery } from "../connection/connection-store.ts";
import { isWorthRetrying } from "../problem/problem.ts";
import { endIfSignedOut } from "../session/end-if-signed-out.ts";
import { client } from "../trpc.ts";
import type { DocumentCheck, DocumentKind } from "./document-queries.ts";

/** Long enough that somebody who types is not judged by half a word. */
const AFTER_MS = 300;
/** A check that found nobody must not stand in the way of saving once somebody answers again. */
const AGAIN_AFTER_MS = 3_000;

export type CheckState =
  | { kind: "asking" }
  | { kind: "told"; text: string; check: DocumentCheck }
  | { kind: "failed"; error: unknown };

/** What the server's own reader says of the text, a moment after each change: the one that judges what is published. */
export function useCheck(
  documentKind: DocumentKind,
  text: string,
  onTold: (check: DocumentCheck) => void,
): CheckState {
  const [state, setState] = useState<CheckState>({ kind: "asking" });
  const told = useEffectEvent(onTold);
  useEffect(() => {
    const gone = new AbortController();
    const ask = async () => {
      try {
        const check = await client.documents.check.mutate(
          { kind: documentKind, text },
          { signal: gone.signal },
        );
        if (gone.signal.aborted) return;
        setState({ kind: "told", text, check });
        told(check);
      } catch (error) {
        if (gone.signal.aborted) return;
        endIfSignedOut(error);
        setState({ kind: "failed", error });
        if (isWorthRetrying(error)) timer = setTimeout(() => void ask(), AGAIN_AFTER_MS);
      }
    };
    let timer = setTimeout(() => void ask(), AFTER_MS);
    const stopWaiting = onRecovery(() => {
      clearTimeout(timer);
      void ask();
    });
    return () => {
      stopWaiting();
      clearTimeout(timer);
      gone.abort();
    };
  }, [documentKind, text]);
  return state;
}
