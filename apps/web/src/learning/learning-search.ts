export const learningViews = ["proposals", "cache", "signals", "results"] as const;
export type LearningView = (typeof learningViews)[number];
export const signalScopes = ["capability", "territory", "fingerprint"] as const;
export type SignalScope = (typeof signalScopes)[number];

/** What the address says of the page; the first of each goes without saying. */
export type LearningSearch = {
  view?: Exclude<LearningView, "proposals">;
  by?: Exclude<SignalScope, "capability">;
  capability?: string;
};

const LONGEST_NAME = 200;

export function readLearningSearch({ view, by, capability }: Record<string, unknown>): LearningSearch {
  return {
    ...((view === "cache" || view === "signals" || view === "results") && { view }),
    ...(view === "signals" && (by === "territory" || by === "fingerprint") && { by }),
    ...(view === "signals" &&
      typeof capability === "string" &&
      capability.trim() !== "" && { capability: capability.trim().slice(0, LONGEST_NAME) }),
  };
}
