import { useEffect, useState } from "react";
import type * as drawings from "./editor/mount-difference.ts";

type Drawing = typeof drawings;

let loaded: Drawing | undefined;

/**
 * What draws differences comes in a chunk of its own. A page that has a button below one waits for it before it is shown: what
 * moves away under a finger is pressed beside.
 */
export const loadDrawing = async (): Promise<Drawing> =>
  (loaded ??= await import("./editor/mount-difference.ts"));

/** What draws differences, at once where it is there already. */
export function useDrawing(): { readonly drawing?: Drawing | undefined; readonly failed: boolean } {
  const [drawing, setDrawing] = useState(() => loaded);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    if (drawing !== undefined) return;
    let gone = false;
    loadDrawing().then(
      (come) => gone || setDrawing(come),
      () => gone || setFailed(true),
    );
    return () => {
      gone = true;
    };
  }, [drawing]);
  return { drawing, failed };
}
