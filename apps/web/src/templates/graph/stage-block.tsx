import type { KeyboardEvent, PointerEvent } from "react";
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
  onElement: (element: HTMLButtonElement | null) => void;
  onSelect: () => void;
  onFocus: () => void;
  onKeyDown: (event: KeyboardEvent) => void;
  onGrab?: ((event: PointerEvent) => void) | undefined;
  onPort?: ((event: PointerEvent, side: "in" | "out") => void) | undefined;
};

/** A stretch of track between two insulated joints, its gate as the signal at its end: unlit, for nothing runs here. */
export function StageBlock({
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
  onElement,
  onSelect,
  onFocus,
  onKeyDown,
  onGrab,
  onPort,
}: BlockProps) {
  const edge = faults > 0 ? "border-danger-rule" : selected ? "border-ink" : "border-track/60";
  return (
    <li
      data-stage={stage.index}
      className={`absolute ${shift === 0 ? "" : "z-10"}`}
      style={{ left: box.x, top: box.y + shift, width: BLOCK.width, height: BLOCK.height }}
    >
      <button
        ref={onElement}
        type="button"
        tabIndex={entry ? 0 : -1}
        aria-pressed={selected}
        onClick={onSelect}
        onFocus={onFocus}
        onKeyDown={onKeyDown}
        onPointerDown={onGrab}
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
      {editable && onPort !== undefined && (
        <>
          <Port side="in" onPort={onPort} lit={target === "offered"} />
          <Port side="out" onPort={onPort} lit={false} />
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
  onPort: NonNullable<BlockProps["onPort"]>;
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
