import { useSyncExternalStore } from "react";

/** As attempts.css has it: below it a row has its line under its name. */
const narrow = window.matchMedia("(width < 40rem)");

const subscribe = (onChange: () => void) => {
  narrow.addEventListener("change", onChange);
  return () => narrow.removeEventListener("change", onChange);
};

export const useNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches);
