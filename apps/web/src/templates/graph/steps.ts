import type { Line, Stage } from "../template-graph.ts";
import type { Layout } from "../template-layout.ts";

export type Step = "right" | "left" | "up" | "down" | "next" | "previous";

/** Where an arrow leads from a stage: along a line, or up and down a column. */
export function stepFrom(
  { stages, lines }: { stages: readonly Stage[]; lines: readonly Line[] },
  { boxes }: Layout,
  from: number,
  step: Step,
): number | undefined {
  const here = boxes[from];
  const id = stages[from]?.id;
  if (here === undefined) return undefined;
  if (step === "next" || step === "previous") {
    const next = from + (step === "next" ? 1 : -1);
    return stages[next] === undefined ? undefined : next;
  }
  const columns = (index: number) => Math.abs((boxes[index]?.column ?? 0) - here.column);
  // Two that stand as far above as below differ by a rounding; the first in the document is meant.
  const rise = (index: number) => Math.round(Math.abs((boxes[index]?.y ?? 0) - here.y) / 4);
  const nearest = (found: readonly Stage[]) =>
    found
      .map(({ index }) => index)
      .toSorted((one, other) => columns(one) - columns(other) || rise(one) - rise(other))[0];
  if (step === "right") {
    return nearest(stages.filter((stage) => lines.some((line) => line.from === id && line.to === stage.id)));
  }
  if (step === "left") {
    return nearest(stages.filter((stage) => lines.some((line) => line.to === id && line.from === stage.id)));
  }
  const above = (index: number) => (boxes[index]?.y ?? 0) < here.y;
  return nearest(
    stages.filter(
      ({ index }) =>
        index !== from && boxes[index]?.column === here.column && above(index) === (step === "up"),
    ),
  );
}

/** The place in the document that puts a stage at the height `y` among those of its column. */
export function placeAtHeight({ boxes }: Layout, index: number, y: number): number {
  const column = boxes[index]?.column;
  const others = boxes
    .map((box, at) => ({ ...box, at }))
    .filter((box) => box.column === column && box.at !== index);
  const below = others.find((box) => box.y > y);
  const last = others.at(-1);
  const wanted = below?.at ?? (last === undefined ? index : last.at + 1);
  return wanted > index ? wanted - 1 : wanted;
}
