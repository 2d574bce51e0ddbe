import { useEffect, type RefObject } from "react";

const steps: Readonly<Record<string, number>> = { j: 1, k: -1 };

/** Where the keys lead from here: nowhere beyond the ends, and to the first row from outside the list. */
export function nextRow(key: string, current: number, count: number): number | undefined {
  const step = steps[key];
  if (step === undefined || count === 0) return undefined;
  if (current < 0) return 0;
  const next = current + step;
  return next >= 0 && next < count ? next : undefined;
}

const isWrittenIn = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** j and k go through the list's links, Enter follows the one that has the focus, as it does everywhere. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const modified = event.ctrlKey || event.metaKey || event.altKey;
      if (modified || isWrittenIn(event.target) || document.querySelector("dialog[open]") !== null) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>("[data-row]") ?? [])];
      const at = rows.findIndex((row) => row === document.activeElement);
      const next = nextRow(event.key, at, rows.length);
      if (next === undefined) return;
      event.preventDefault();
      rows[next]?.focus();
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [list]);
}
