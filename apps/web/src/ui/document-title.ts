import { useEffect } from "react";
import { plainly } from "../drawn/plainly.ts";

/** A tab, a bookmark and a screen reader name the page by it. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${plainly(title)} · Signalbox`;
  }, [title]);
}
