import { type RefObject, useLayoutEffect, useState } from "react";
import type { TimeScale } from "./time-scale.ts";
import { timeTaken } from "./time-taken.ts";
import { seen, shownOf, ticksOf, type View } from "./time-view.ts";

type Props = { scale: TimeScale; view: View; axis: RefObject<HTMLSpanElement | null> };

/** The time above the rows: as many labels as there is room for. */
export function WaterfallAxis({ scale, view, axis }: Props) {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = axis.current;
    if (element === null) return undefined;
    setWidth(element.clientWidth);
    const watcher = new ResizeObserver(() => setWidth(element.clientWidth));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [axis]);
  return (
    <p
      aria-hidden="true"
      className="span-row waterfall-scale border-b border-rule/70 text-xs text-ink-soft tabular-nums"
    >
      <span ref={axis} data-axis="" className="span-line span-axis">
        <Waits scale={scale} view={view} />
        {ticksOf(scale, view, width).map(({ at, label }) => (
          <span key={at} className="axis-tick" style={{ left: `${at * 100}%` }}>
            {label}
          </span>
        ))}
      </span>
    </p>
  );
}

/** Where waits were drawn short, so that nobody takes them for what they are not. */
export function Waits({ scale, view }: Pick<Props, "scale" | "view">) {
  const shown = shownOf(scale, view);
  return scale.waits.map(({ from, until, at, to }) => {
    const place = seen(shown, { from: at, to });
    return (
      typeof place === "object" && (
        <span
          key={from}
          className="span-wait"
          title={`${timeTaken(until - from)} in which nothing worked, drawn short`}
          style={{ left: `${place.left}%`, width: `${place.width}%` }}
        />
      )
    );
  });
}
