import { ProblemNotice } from "./problem-notice.tsx";
import { problemOf } from "./problem.ts";

/** Why what a dialog asked for was not done. The dialog has closed by then, and this may stand below what is seen. */
export const Refusal = ({ error }: { error: unknown }) => (
  <div role="alert" ref={keepInView}>
    <ProblemNotice problem={problemOf(error)} />
  </div>
);

const ownMoves = ["wheel", "pointerdown", "touchstart", "keydown"];

/** A refusal is told before the page is read anew, and what then grows above it must not push it away; until one moves by oneself. */
function keepInView(refusal: HTMLElement | null) {
  if (refusal === null) return;
  const kept = new ResizeObserver(() => refusal.scrollIntoView({ block: "nearest" }));
  const given = new AbortController();
  const giveUp = () => {
    kept.disconnect();
    given.abort();
  };
  for (const move of ownMoves) window.addEventListener(move, giveUp, { passive: true, signal: given.signal });
  kept.observe(document.body);
  return giveUp;
}
