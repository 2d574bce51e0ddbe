import { useLocation } from "@tanstack/react-router";
import { useState } from "react";

declare module "@tanstack/react-router" {
  interface HistoryState {
    keptEditor?: boolean;
  }
}

/** How an editor goes on to the address of the draft that it has just saved: without leaving what one was about to type. */
export const keepingEditor = { replace: true, resetScroll: false, state: { keptEditor: true } } as const;

/**
 * Another address is another editor, but for the one that its own draft has got (`keepingEditor`): begun anew there, it
 * would lose focus, caret, steps to undo, and what was simulated.
 */
export function useEditorKey(place: string): number {
  const isKept = useLocation({ select: ({ state }) => state.keptEditor === true });
  const [seat, setSeat] = useState({ place, key: 0 });
  if (seat.place === place) return seat.key;
  const key = isKept ? seat.key : seat.key + 1;
  setSeat({ place, key });
  return key;
}
