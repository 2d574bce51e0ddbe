import { Lamp, aspectWords } from "../ui/signal.tsx";
import { Plate } from "../ui/plate.tsx";
import type { ReadinessSignal } from "./signals.ts";

/** The readings as signals along one track, in the order in which a request passes them. */
export function ReadinessBoard({ signals }: { signals: readonly ReadinessSignal[] }) {
  return (
    <div className="board board-screws overflow-hidden p-5 [--board-padding:2rem] sm:p-8">
      <ol className="track" aria-label="Readiness">
        {signals.map(({ id, label, aspect, word, reason }) => (
          <li key={id} className="track-block" data-aspect={aspect}>
            <Lamp aspect={aspect} size="large" />
            <div className="track-text min-w-0">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
                <Plate>{label}</Plate>
                <span className="font-semibold">{word ?? aspectWords[aspect]}</span>
              </p>
              <p className="anywhere mt-1.5 text-sm text-ink-soft">{reason}</p>
            </div>
          </li>
        ))}
      </ol>
    </div>
  );
}
