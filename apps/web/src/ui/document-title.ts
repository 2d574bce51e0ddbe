import { useEffect } from "react";

/** A tab, a bookmark and a screen reader name the page by it. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Signalbox`;
  }, [title]);
}
