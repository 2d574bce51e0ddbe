/** Texts one after the other: going back gives the very text that was there. */
export type History = {
  readonly past: readonly string[];
  readonly text: string;
  readonly future: readonly string[];
  /** The last change was typed, and the next key belongs to it. */
  readonly typing: boolean;
};

const MOST_STEPS = 200;

export const beginHistory = (text: string): History => ({ past: [], text, future: [], typing: false });

/** Keys that are typed one after the other are one step, until another kind of change comes between them. */
export function record(history: History, text: string, typed = false): History {
  if (text === history.text) return history;
  const joins = typed && history.typing;
  const past = joins ? history.past : [...history.past, history.text].slice(-MOST_STEPS);
  return { past, text, future: [], typing: typed };
}

export function undo({ past, text, future, typing }: History): History {
  const before = past.at(-1);
  if (before === undefined) return { past, text, future, typing };
  return { past: past.slice(0, -1), text: before, future: [text, ...future], typing: false };
}

export function redo({ past, text, future, typing }: History): History {
  const [after, ...rest] = future;
  if (after === undefined) return { past, text, future, typing };
  return { past: [...past, text], text: after, future: rest, typing: false };
}

/** What comes after a pause is a step of its own. */
export const settle = (history: History): History =>
  history.typing ? { ...history, typing: false } : history;
