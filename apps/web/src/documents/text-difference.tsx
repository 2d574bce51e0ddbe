import { useEffectEvent, useLayoutEffect, useRef, type RefObject } from "react";
import { useDrawing } from "./drawing.ts";
import type { Side } from "./editor/mount-difference.ts";

/** What changes from one text to the other, as lines. */
export function TextDifference({ before, after }: { before: Side; after: Side }) {
  const host = useRef<HTMLDivElement>(null);
  const { drawing, failed } = useDrawing();
  useLayoutEffect(() => {
    if (drawing === undefined || host.current === null) return undefined;
    return drawing.mountDifference(
      host.current,
      { label: before.label, text: before.text },
      { label: after.label, text: after.text },
    );
  }, [drawing, before.label, before.text, after.label, after.text]);
  if (before.text === after.text) {
    return <p className="text-sm text-ink-soft">They are the same, to the letter.</p>;
  }
  return (
    <figure className="rounded-sm border border-rule bg-panel">
      <figcaption className="border-b border-rule px-4 py-2 text-sm text-ink-soft">
        <span className="first-letter:uppercase">{before.label}</span> → {after.label}
      </figcaption>
      <Drawn host={host} failed={failed} />
    </figure>
  );
}

/** Two texts side by side; from the left one stretch after the other can be taken over. */
export function TextMerge({
  theirs,
  mine,
  onText,
}: {
  theirs: Side;
  mine: Side;
  onText: (text: string) => void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const { drawing, failed } = useDrawing();
  const tell = useEffectEvent(onText);
  const start = useEffectEvent(() => mine.text);
  useLayoutEffect(() => {
    if (drawing === undefined || host.current === null) return undefined;
    return drawing.mountMerge(
      host.current,
      { label: theirs.label, text: theirs.text },
      { label: mine.label, text: start() },
      (text) => tell(text),
    );
  }, [drawing, theirs.label, theirs.text, mine.label]);
  return (
    <figure className="rounded-sm border border-rule bg-panel">
      <figcaption className="flex justify-between gap-4 border-b border-rule px-4 py-2 text-sm text-ink-soft">
        <span>{theirs.label}</span>
        <span>{mine.label}</span>
      </figcaption>
      <Drawn host={host} failed={failed} />
    </figure>
  );
}

function Drawn({ host, failed }: { host: RefObject<HTMLDivElement | null>; failed: boolean }) {
  if (failed)
    return (
      <p role="alert" className="p-4 text-sm">
        What compares texts could not be loaded. Nothing is lost: open this again in a moment, or load the
        page anew.
      </p>
    );
  return <div ref={host} className="overflow-hidden" />;
}
