import { useState } from "react";

/**
 * Of two things that take turns at one place, the one that can be done now; while somebody is asked about one, that one stays
 * in front of them with what they wrote, whatever others do meanwhile.
 */
export function useAsked<Act extends string>(now: Act) {
  const [asked, setAsked] = useState<Act>();
  const shown = asked ?? now;
  return {
    shown,
    isPast: shown !== now,
    onOpen: (isOpen: boolean) => setAsked(isOpen ? shown : undefined),
  };
}
