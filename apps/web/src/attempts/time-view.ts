import type { TimeScale } from "./time-scale.ts";
import { timeTaken } from "./time-taken.ts";

/** What of the time is shown; null: all of it, also as it grows. */
export type View = { readonly from: number; readonly until: number } | null;
/** The same as a part of the picture, from 0 to 1. */
export type Shown = { readonly from: number; readonly to: number };

export const shownOf = ({ place }: TimeScale, view: View): Shown =>
  view === null ? { from: 0, to: 1 } : { from: place(view.from), to: place(view.until) };

/** A millisecond is the least that is told apart. */
const leastOf = ({ drawnMs }: TimeScale): number => Math.min(1, 1 / drawnMs);

function viewOf(scale: TimeScale, from: number, width: number): View {
  const wide = Math.min(1, Math.max(leastOf(scale), width));
  if (wide > 0.999) return null;
  const start = Math.min(1 - wide, Math.max(0, from));
  return { from: scale.timeAt(start), until: scale.timeAt(start + wide) };
}

/** `factor` above 1 shows less time; what lies at `at`, from 0 to 1 of what is shown, stays where it is. */
export function zoomed(scale: TimeScale, view: View, { factor, at }: { factor: number; at: number }): View {
  const { from, to } = shownOf(scale, view);
  const width = Math.max(leastOf(scale), (to - from) / factor);
  return viewOf(scale, from + at * (to - from - width), width);
}

/** By a share of what is shown: later where it is above 0. */
export function moved(scale: TimeScale, view: View, by: number): View {
  const { from, to } = shownOf(scale, view);
  return viewOf(scale, from + by * (to - from), to - from);
}

/**
 * A span with a little of the time around it: of a wait beside it too, and not all of it because it is drawn short. One
 * that still goes on is shown from its beginning to now: with a margin it would mostly be the whole.
 */
export function around(
  scale: TimeScale,
  { from, width, tookMs }: { from: number; width: number; tookMs?: number | null },
): View {
  const [start, end] = [scale.timeAt(from), scale.timeAt(from + width)];
  const margin = Math.max((end - start) * 0.1, 2);
  const view = {
    from: Math.max(scale.first, tookMs === null ? start : start - margin),
    until: Math.min(scale.last, end + margin),
  };
  return view.from <= scale.first && view.until >= scale.last ? null : view;
}

/** Where something lies of what is shown, in percent; null where it lies beside it, and on which side. */
export function seen(
  { from, to }: Shown,
  part: Shown,
): { readonly left: number; readonly width: number } | "before" | "behind" {
  const width = Math.max(Number.EPSILON, to - from);
  if (part.to < from) return "before";
  if (part.from > to) return "behind";
  const left = Math.max(0, (part.from - from) / width) * 100;
  const right = Math.min(1, (part.to - from) / width) * 100;
  return { left: Math.min(left, 99.5), width: Math.max(0, right - left) };
}

const LABEL_PX = 88;
const MOST_LABELS = 8;

/**
 * Marks of the axis, each with as much room as its label needs whatever the width. The first says how far into the whole it
 * is; where that is not the beginning, the others say how much later they are.
 */
export function ticksOf(scale: TimeScale, view: View, widthPx: number): { at: number; label: string }[] {
  const { from, to } = shownOf(scale, view);
  const count = Math.max(1, Math.min(MOST_LABELS, Math.floor(widthPx / LABEL_PX)));
  const start = scale.timeAt(from);
  const ticks = Array.from({ length: count }, (_, index) => {
    const at = index / count;
    const time = scale.timeAt(from + at * (to - from));
    const later = index > 0 && view !== null;
    return { at, label: later ? `+${timeTaken(time - start)}` : timeTaken(time - scale.first) };
  });
  return ticks.filter(({ label }, index) => label !== ticks[index - 1]?.label);
}
