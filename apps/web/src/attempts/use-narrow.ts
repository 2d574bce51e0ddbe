import { useSyncExternalStore } from "react";

/** As attempts.css has it: below it a row has its line under its name. */
const NARROW = "(width < 40rem)";

const subscribe = (onChange: () => void) => {
  const narrow = window.matchMedia(NARROW);
  narrow.addEventListener("change", onChange);
  return () => narrow.removeEventListener("change", onChange);
};

export const useNarrow = (): boolean =>
  useSyncExternalStore(subscribe, () => window.matchMedia(NARROW).matches);
