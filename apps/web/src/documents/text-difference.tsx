import { useEffect, useEffectEvent, useRef } from "react";
import type { Side } from "./editor/mount-difference.ts";

/** What changes from one text to the other, as lines. */
export function TextDifference({ before, after }: { before: Side; after: Side }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let destroy: (() => void) | undefined;
    let gone = false;
    const mount = async () => {
      const { mountDifference } = await import("./editor/mount-difference.ts");
      if (gone || host.current === null) return;
      destroy = mountDifference(
        host.current,
        { label: before.label, text: before.text },
        { label: after.label, text: after.text },
      );
    };
    void mount();
    return () => {
      gone = true;
      destroy?.();
    };
  }, [before.label, before.text, after.label, after.text]);
  if (before.text === after.text) {
    return <p className="text-sm text-ink-soft">They are the same, to the letter.</p>;
  }
  return (
    <figure className="rounded-sm border border-rule bg-panel">
      <figcaption className="border-b border-rule px-4 py-2 text-sm text-ink-soft">
        <span className="first-letter:uppercase">{before.label}</span> → {after.label}
      </figcaption>
      <div ref={host} className="overflow-hidden" />
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
  const tell = useEffectEvent(onText);
  const start = useEffectEvent(() => mine.text);
  useEffect(() => {
    let destroy: (() => void) | undefined;
    let gone = false;
    const mount = async () => {
      const { mountMerge } = await import("./editor/mount-difference.ts");
      if (gone || host.current === null) return;
      destroy = mountMerge(
        host.current,
        { label: theirs.label, text: theirs.text },
        { label: mine.label, text: start() },
        (text) => tell(text),
      );
    };
    void mount();
    return () => {
      gone = true;
      destroy?.();
    };
  }, [theirs.label, theirs.text, mine.label]);
  return (
    <figure className="rounded-sm border border-rule bg-panel">
      <figcaption className="flex justify-between gap-4 border-b border-rule px-4 py-2 text-sm text-ink-soft">
        <span>{theirs.label}</span>
        <span>{mine.label}</span>
      </figcaption>
      <div ref={host} className="overflow-hidden" />
    </figure>
  );
}
