import type { Span } from "./attempt-queries.ts";
import type { TimeScale } from "./time-scale.ts";
import { timeTaken } from "./time-taken.ts";
import { around, type View } from "./time-view.ts";
import type { TimeView } from "./use-time-view.ts";
import type { WaterfallRow } from "./waterfall.ts";

type Props = {
  scale: TimeScale;
  time: TimeView;
  chosen: WaterfallRow<Span> | undefined;
  shortened: boolean;
  onShortened: (shortened: boolean) => void;
  /** Whether there is any wait that could be drawn short. */
  hasWaits: boolean;
};

const tool =
  "inline-flex min-h-9 min-w-9 items-center justify-center rounded-sm border border-track/60 bg-panel px-2.5 text-sm font-medium text-ink hover:bg-recess";

export function WaterfallTools({ scale, time, chosen, shortened, onShortened, hasWaits }: Props) {
  const { view, show, zoom } = time;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-2 border-b border-rule px-3 py-2">
      <button type="button" className={tool} aria-label="Zoom out" onClick={() => zoom("out")}>
        −
      </button>
      <button type="button" className={tool} aria-label="Zoom in" onClick={() => zoom("in")}>
        +
      </button>
      <button type="button" className={tool} onClick={() => show(null)}>
        Fit
      </button>
      {chosen !== undefined && (
        <button type="button" className={tool} onClick={() => show(around(scale, chosen))}>
          Zoom to this span
        </button>
      )}
      {hasWaits && (
        <label className="inline-flex min-h-9 items-center gap-2 px-1 text-sm">
          <input
            type="checkbox"
            checked={shortened}
            onChange={(event) => onShortened(event.target.checked)}
            className="size-4 accent-(--ink)"
          />
          Waits drawn short
        </label>
      )}
      <output className="text-sm text-ink-soft tabular-nums sm:ml-auto">{shownInWords(scale, view)}</output>
    </div>
  );
}

function shownInWords({ first, last }: TimeScale, view: View): string {
  const whole = timeTaken(last - first);
  if (view === null) return `All of ${whole}`;
  return `${timeTaken(view.until - view.from)} of ${whole}`;
}
