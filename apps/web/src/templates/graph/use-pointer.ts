import {
  type PointerEvent as ReactPointerEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useState,
} from "react";
import type { Layout, Point } from "../template-layout.ts";
import { portOf } from "./lines.tsx";
import { placeAtHeight } from "./steps.ts";

/** What the pointer is doing: drawing a line from a port, or moving a block along its column. */
export type Hold =
  | { kind: "line"; stage: number; side: "in" | "out"; from: Point; to: Point; over: number | undefined }
  | { kind: "block"; stage: number; start: number; shift: number };

type Drop = {
  onConnect: (from: number, to: number) => void;
  /** Let go where nothing is: a new stage comes there. */
  onExtend: (stage: number, side: "in" | "out") => void;
  onMove: (stage: number, place: number) => void;
};

/** Less than this is a click that trembled. */
const LEAST_MOVE = 6;

export function usePointer(
  surface: RefObject<HTMLElement | null>,
  layout: Layout,
  scale: number,
  drop: Drop,
) {
  const [hold, setHold] = useState<Hold>();

  const pointOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const { left = 0, top = 0 } = surface.current?.getBoundingClientRect() ?? {};
    return { x: (clientX - left) / scale, y: (clientY - top) / scale };
  };

  const move = useEffectEvent((event: PointerEvent) => {
    if (hold?.kind === "line") setHold({ ...hold, to: pointOf(event), over: stageUnder(event) });
    if (hold?.kind === "block") setHold({ ...hold, shift: pointOf(event).y - hold.start });
  });
  const release = useEffectEvent((event: PointerEvent) => {
    setHold(undefined);
    if (hold === undefined) return;
    if (hold.kind === "block") {
      if (Math.abs(hold.shift) < LEAST_MOVE) return;
      const y = (layout.boxes[hold.stage]?.y ?? 0) + hold.shift;
      const place = placeAtHeight(layout, hold.stage, y);
      if (place !== hold.stage) drop.onMove(hold.stage, place);
      return;
    }
    const over = stageUnder(event);
    if (over === undefined) {
      const { x, y } = pointOf(event);
      if (Math.hypot(x - hold.from.x, y - hold.from.y) > 24) drop.onExtend(hold.stage, hold.side);
    } else if (over !== hold.stage) {
      if (hold.side === "out") drop.onConnect(hold.stage, over);
      else drop.onConnect(over, hold.stage);
    }
  });

  const held = hold !== undefined;
  useEffect(() => {
    if (!held) return undefined;
    const giveUp = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.key === "Escape") setHold(undefined);
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", release, { signal });
    window.addEventListener("pointercancel", giveUp, { signal });
    window.addEventListener("keydown", giveUp, { signal });
    return () => listening.abort();
  }, [held]);

  return {
    hold,
    grab: (event: ReactPointerEvent, stage: number) => {
      if (event.button === 0) setHold({ kind: "block", stage, start: pointOf(event).y, shift: 0 });
    },
    draw: (event: ReactPointerEvent, stage: number, side: "in" | "out") => {
      if (event.button !== 0) return;
      event.preventDefault();
      const from = portOf(layout, stage, side);
      setHold({ kind: "line", stage, side, from, to: from, over: undefined });
    },
  };
}

function stageUnder({ clientX, clientY }: PointerEvent): number | undefined {
  const found = document.elementFromPoint(clientX, clientY)?.closest("[data-stage]");
  const stage = found?.getAttribute("data-stage");
  return stage === undefined || stage === null ? undefined : Number(stage);
}
