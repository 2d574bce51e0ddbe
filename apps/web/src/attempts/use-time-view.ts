import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { TimeScale } from "./time-scale.ts";
import { moved, type View, zoomed } from "./time-view.ts";
import { type Stretch, stretchOf, viewAt } from "./trace-stretch.ts";

/** A press of a button or a key, and a notch of a wheel. */
const STEP = 2;
const PAN = 0.25;
const WHEEL = 0.002;

/** A wheel turns many times a second, and a browser takes so many addresses of nobody. */
const RESTED_MS = 200;

export type TimeView = {
  readonly view: View;
  readonly show: (view: View) => void;
  readonly zoom: (way: "in" | "out", at?: number) => void;
  readonly pan: (way: "earlier" | "later") => void;
};

/**
 * What of the time is shown. The wheel with Ctrl zooms about the pointer, as it does everywhere; by itself it still scrolls
 * the rows. `axis` is where the time lies on the screen; `stretch` is what the address says is shown.
 */
export function useTimeView(
  scale: TimeScale,
  { area, axis }: { area: RefObject<HTMLElement | null>; axis: RefObject<HTMLElement | null> },
  { stretch, onStretch }: { stretch: Stretch; onStretch: (stretch: Stretch) => void },
): TimeView {
  const [view, show] = useState<View>(() => viewAt(scale, stretch));
  useAddress({ scale, view, show, stretch, onStretch });
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const box = axis.current?.getBoundingClientRect();
    if (box === undefined || box.width === 0) return;
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      const at = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : 16;
      const factor = Math.exp(Math.max(-400, Math.min(400, -event.deltaY * lines)) * WHEEL);
      show((before) => zoomed(scale, before, { factor, at }));
    } else if (view !== null && (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))) {
      event.preventDefault();
      const by = (event.shiftKey && event.deltaX === 0 ? event.deltaY : event.deltaX) / box.width;
      show((before) => moved(scale, before, by));
    }
  });
  useEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const listener = (event: WheelEvent) => onWheel(event);
    // Not passive: the page itself would be zoomed.
    element.addEventListener("wheel", listener, { passive: false });
    return () => element.removeEventListener("wheel", listener);
  }, [area]);
  return {
    view,
    show,
    zoom: (way, at = 0.5) =>
      show((before) => zoomed(scale, before, { factor: way === "in" ? STEP : 1 / STEP, at })),
    pan: (way) => show((before) => moved(scale, before, way === "later" ? PAN : -PAN)),
  };
}

type Addressed = {
  scale: TimeScale;
  view: View;
  show: (view: View) => void;
  stretch: Stretch;
  onStretch: (stretch: Stretch) => void;
};

const nameOf = ({ from, until }: Stretch): string => `${from} ${until}`;

/** What is shown goes into the address once it rests, and another address (Back, a link) is shown. */
function useAddress({ scale, view, show, stretch, onStretch }: Addressed): void {
  const named = nameOf(stretch);
  const known = useRef(named);
  const follow = useEffectEvent((to: string) => {
    if (to === known.current) return;
    known.current = to;
    show(viewAt(scale, stretch));
  });
  const tell = useEffectEvent((shown: View) => {
    const own = stretchOf(scale, shown);
    if (nameOf(own) === known.current) return;
    known.current = nameOf(own);
    onStretch(own);
  });
  useEffect(() => {
    follow(named);
  }, [named]);
  useEffect(() => {
    const timer = setTimeout(() => tell(view), RESTED_MS);
    return () => clearTimeout(timer);
  }, [view]);
}
