import { type KeyboardEvent, memo, type PointerEvent } from "react";
import { Lamp } from "../../ui/signal.tsx";
import type { Stage } from "../template-graph.ts";
import { BLOCK, type Box } from "../template-layout.ts";

export type BlockProps = {
  stage: Stage;
  box: Box;
  selected: boolean;
  /** The one block that Tab comes to; arrows lead on from it. */
  entry: boolean;
  /** What the eye sees elsewhere: what it follows, how many faults it has. */
  said: string;
  connecting: boolean;
  handler: boolean;
  faults: number;
  /** What a line that is being drawn would do here. */
  target?: "offered" | "aimed" | undefined;
  editable: boolean;
  shift?: number | undefined;
  acts: BlockActs;
};

/** What is done to a block. The same object for all and for ever: a block is drawn again when it has changed, and only then. */
export type BlockActs = {
  readonly onElement: (index: number, element: HTMLButtonElement | null) => void;
  readonly onSelect: (index: number) => void;
  readonly onFocus: (index: number) => void;
  readonly onKeyDown: (event: KeyboardEvent, index: number) => void;
  readonly onGrab: (event: PointerEvent, index: number) => void;
  readonly onPort: (event: PointerEvent, index: number, side: "in" | "out") => void;
};

/** A text that is read anew gives new objects for what is as it was. */
const isSame = ({ stage, box, ...rest }: BlockProps, now: BlockProps): boolean =>
  stage.id === now.stage.id &&
  stage.index === now.stage.index &&
  stage.taskType === now.stage.taskType &&
  stage.required === now.stage.required &&
  box.x === now.box.x &&
  box.y === now.box.y &&
  rest.selected === now.selected &&
  rest.entry === now.entry &&
  rest.said === now.said &&
  rest.connecting === now.connecting &&
  rest.handler === now.handler &&
  rest.faults === now.faults &&
  rest.target === now.target &&
  rest.editable === now.editable &&
  rest.shift === now.shift &&
  rest.acts === now.acts;

export const StageBlock = memo(Block, isSame);

/** A stretch of track between two insulated joints, its gate as the signal at its end: unlit, for nothing runs here. */
function Block({
  stage,
  box,
  selected,
  entry,
  said,
  connecting,
  handler,
  faults,
  target,
  editable,
  shift = 0,
  acts,
}: BlockProps) {
  const { index } = stage;
  const edge = faults > 0 ? "border-danger-rule" : selected ? "border-ink" : "border-track/60";
  return (
    <li
      data-stage={stage.index}
      className={`absolute ${shift === 0 ? "" : "z-10"}`}
      style={{ left: box.x, top: box.y + shift, width: BLOCK.width, height: BLOCK.height }}
    >
      <button
        ref={(element) => acts.onElement(index, element)}
        type="button"
        tabIndex={entry ? 0 : -1}
        aria-pressed={selected}
        onClick={() => acts.onSelect(index)}
        onFocus={() => acts.onFocus(index)}
        onKeyDown={(event) => acts.onKeyDown(event, index)}
        onPointerDown={editable ? (event) => acts.onGrab(event, index) : undefined}
        className={`flex size-full items-center gap-2 rounded-sm border-x-4 border-y px-2.5 text-left ${edge} ${
          stage.required ? "" : "border-dashed"
        } ${target === "aimed" ? "bg-plate text-plate-ink" : selected ? "bg-recess" : "bg-panel hover:bg-recess"} ${
          editable ? "touch-none" : ""
        }`}
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-sm font-semibold">
            {connecting && <span className="sr-only">Connect to </span>}
            {stage.id || "(no id)"}
            <span className="sr-only">,</span>
          </span>
          <span className="block truncate text-xs">
            {handler ? "handles failure · " : ""}
            {stage.taskType || "no task type"}
            <span className="sr-only">, {said}</span>
          </span>
        </span>
        <Lamp aspect={faults > 0 ? "danger" : "unlit"} size="small" />
      </button>
      {editable && (
        <>
          <Port
            side="in"
            onPort={(event, side) => acts.onPort(event, index, side)}
            lit={target === "offered"}
          />
          <Port side="out" onPort={(event, side) => acts.onPort(event, index, side)} lit={false} />
        </>
      )}
    </li>
  );
}

/** For a pointer; a keyboard connects by C, and every form by its list. */
function Port({
  side,
  lit,
  onPort,
}: {
  side: "in" | "out";
  lit: boolean;
  onPort: (event: PointerEvent, side: "in" | "out") => void;
}) {
  return (
    <span
      aria-hidden="true"
      data-port={side}
      onPointerDown={(event) => onPort(event, side)}
      className={`absolute top-1/2 flex size-6 -translate-y-1/2 cursor-crosshair touch-none items-center justify-center ${
        side === "in" ? "-left-3" : "-right-3"
      }`}
    >
      <span className={`size-3 rounded-full border-2 border-track ${lit ? "bg-ink" : "bg-enamel"}`} />
    </span>
  );
}
