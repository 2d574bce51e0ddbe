import { type KeyboardEvent, memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { isHandler, type Line, type Stage, type Template } from "../template-graph.ts";
import { layOut } from "../template-layout.ts";
import { Lines } from "./lines.tsx";
import { type BlockActs, StageBlock } from "./stage-block.tsx";
import { type Step, stepFrom } from "./steps.ts";
import { usePointer } from "./use-pointer.ts";
import { type Scale, ScaleChoice } from "./scale-choice.tsx";

/** What can be done to the graph; without it the graph is only read. */
export type GraphEdits = {
  connect: (from: string, to: string) => void;
  extend: (stage: string, side: "in" | "out") => void;
  move: (stage: string, place: number) => void;
  remove: (stage: string) => void;
  undo: () => void;
  redo: () => void;
};

type GraphProps = {
  template: Template;
  selected: string | undefined;
  onSelect: (stage: string | undefined) => void;
  /** Faults of each stage, by its place in the document. */
  faults?: ReadonlyMap<number, number>;
  edits?: GraphEdits | undefined;
  onLine?: ((line: Line) => void) | undefined;
  /** The stage that takes the focus: it came, or was moved. */
  focus?: { stage: string } | undefined;
  /** Said of what a key began, and must be heard. */
  onSay?: ((words: string) => void) | undefined;
};

const steps: Readonly<Record<string, Step>> = {
  ArrowRight: "right",
  ArrowLeft: "left",
  ArrowUp: "up",
  ArrowDown: "down",
  j: "next",
  k: "previous",
};

/** Drawn again when what it shows is another, and not with each letter of the text beside it. */
export const TemplateGraphView = memo(function TemplateGraphView(props: GraphProps) {
  const { template, selected, onSelect, faults, edits, onLine, focus, onSay } = props;
  const { stages, lines } = template;
  const layout = useMemo(() => layOut({ stages, lines }), [stages, lines]);
  const [scale, setScale] = useState<Scale>(1);
  const [entry, setEntry] = useState(0);
  const [connecting, setConnecting] = useState<number>();
  const surface = useRef<HTMLDivElement>(null);
  const blocks = useRef(new Map<number, HTMLButtonElement>());
  const idOf = (index: number) => stages[index]?.id ?? "";
  const pointer = usePointer(surface, layout, scale, {
    onConnect: (from, to) => edits?.connect(idOf(from), idOf(to)),
    onExtend: (stage, side) => edits?.extend(idOf(stage), side),
    onMove: (stage, place) => edits?.move(idOf(stage), place),
  });
  const { hold } = pointer;

  useEffect(() => {
    const index = stages.findIndex(({ id }) => id === focus?.stage);
    blocks.current.get(index)?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- the focus is asked for once, and not again with every edit
  }, [focus]);

  function onKey(event: KeyboardEvent, index: number): void {
    const id = idOf(index);
    const step = steps[event.key];
    const handled = (): void => event.preventDefault();
    if (event.key === "Escape" && connecting !== undefined) {
      setConnecting(undefined);
      onSay?.("No line is drawn.");
      return handled();
    }
    if (edits !== undefined && event.altKey && (step === "up" || step === "down")) {
      const other = stepFrom(template, layout, index, step);
      if (other !== undefined) edits.move(id, other);
      return handled();
    }
    const plain = !event.altKey && !event.ctrlKey && !event.metaKey;
    if (step !== undefined && plain) {
      const next = stepFrom(template, layout, index, step);
      if (next !== undefined) blocks.current.get(next)?.focus();
      return handled();
    }
    if (event.key === "Enter" && connecting !== undefined) {
      setConnecting(undefined);
      if (connecting !== index) edits?.connect(idOf(connecting), id);
      return handled();
    }
    if (edits === undefined) return;
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      (event.shiftKey ? edits.redo : edits.undo)();
      return handled();
    }
    if (!plain) return;
    if (event.key === "c") {
      setConnecting(index);
      onSay?.(`A line from ${id}: go to the stage that follows it and press Enter, or Escape.`);
      return handled();
    }
    if (event.key === "n") {
      edits.extend(id, "out");
      return handled();
    }
    if (event.key === "Delete" || event.key === "Backspace") {
      edits.remove(id);
      return handled();
    }
  }

  const acts = useLatest({
    onElement(index, element) {
      if (element !== null) blocks.current.set(index, element);
    },
    onSelect: (index) => onSelect(idOf(index)),
    onFocus: setEntry,
    onKeyDown: onKey,
    onGrab: pointer.grab,
    onPort: pointer.draw,
  });
  const ids = useMemo(() => Map.groupBy(stages, ({ id }) => id), [stages]);
  const arriving = useMemo(() => Map.groupBy(lines, ({ to }) => to), [lines]);
  const reachable = Math.min(entry, Math.max(stages.length - 1, 0));
  return (
    <div className="min-w-0">
      <div className="board overflow-auto" data-graph="">
        <div style={{ width: layout.width * scale, height: layout.height * scale }}>
          <div
            ref={surface}
            className="relative origin-top-left"
            style={{ width: layout.width, height: layout.height, transform: `scale(${scale})` }}
          >
            <Lines
              layout={layout}
              selected={selected}
              drawn={hold?.kind === "line" ? drawnBy(hold) : undefined}
              onLine={onLine}
            />
            <ul aria-label={`Stages of ${template.id}`}>
              {stages.map((stage) => {
                const { index, id } = stage;
                const count = faults?.get(index) ?? 0;
                const leading = arriving.get(id) ?? [];
                const doubled = (ids.get(id)?.length ?? 0) > 1;
                return (
                  <StageBlock
                    key={doubled ? index : `stage ${id}`}
                    stage={stage}
                    box={layout.boxes[index] ?? nowhere}
                    selected={selected === id}
                    entry={reachable === index}
                    said={saidOf(stage, leading, count)}
                    connecting={connecting !== undefined}
                    handler={isHandler(leading)}
                    faults={count}
                    target={targetOf(hold, connecting, entry, index)}
                    editable={edits !== undefined}
                    shift={hold?.kind === "block" && hold.stage === index ? hold.shift : 0}
                    acts={acts}
                  />
                );
              })}
            </ul>
          </div>
        </div>
      </div>
      <ScaleChoice scale={scale} onScale={setScale} />
    </div>
  );
});

const nowhere = { x: 0, y: 0, column: 0 };

/** Functions that stay the same, and do what was said last. */
function useLatest(acts: BlockActs): BlockActs {
  const latest = useRef(acts);
  useLayoutEffect(() => {
    latest.current = acts;
  });
  const [stable] = useState<BlockActs>(() => ({
    onElement: (index, element) => latest.current.onElement(index, element),
    onSelect: (index) => latest.current.onSelect(index),
    onFocus: (index) => latest.current.onFocus(index),
    onKeyDown: (event, index) => latest.current.onKeyDown(event, index),
    onGrab: (event, index) => latest.current.onGrab(event, index),
    onPort: (event, index, side) => latest.current.onPort(event, index, side),
  }));
  return stable;
}

type Held = ReturnType<typeof usePointer>["hold"];
type HeldLine = Extract<NonNullable<Held>, { kind: "line" }>;

const drawnBy = ({ side, from, to }: HeldLine) => (side === "out" ? { from, to } : { from: to, to: from });

function targetOf(hold: Held, connecting: number | undefined, entry: number, index: number) {
  if (connecting !== undefined) return entry === index && connecting !== index ? "aimed" : "offered";
  if (hold?.kind !== "line") return undefined;
  return hold.over === index && hold.stage !== index ? "aimed" : "offered";
}

/** What lines, strokes and lamps show to the eye. */
function saidOf({ required, join }: Stage, leading: readonly Line[], faults: number): string {
  const before = leading.map(({ from }) => from);
  const parts = [
    required ? "required" : "not required",
    before.length === 0 ? "starts at once" : `after ${before.join(join === "ANY" ? " or " : " and ")}`,
  ];
  if (faults > 0) parts.push(faults === 1 ? "1 fault" : `${faults} faults`);
  return parts.join(", ");
}
