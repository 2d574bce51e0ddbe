import { useEffect, useId, useRef } from "react";
import type { Fault } from "./use-check.ts";

type YamlBoxProps = {
  text: string;
  onText: (text: string) => void;
  faults: readonly Fault[];
  /** The line that is to be seen, and gets the cursor. */
  reveal: { line: number } | undefined;
};

export function YamlBox({ text, onText, faults, reveal }: YamlBoxProps) {
  const id = useId();
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null || reveal === undefined) return;
    const start =
      element.value
        .split("\n")
        .slice(0, reveal.line - 1)
        .join("\n").length + (reveal.line > 1 ? 1 : 0);
    element.focus();
    element.setSelectionRange(start, start);
  }, [reveal]);
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        YAML
      </label>
      <textarea
        ref={box}
        id={id}
        value={text}
        spellCheck={false}
        aria-invalid={faults.length > 0}
        className="h-[65vh] min-h-80 w-full rounded-sm border border-track/60 bg-recess p-3 font-mono text-xs leading-relaxed whitespace-pre"
        onChange={(event) => onText(event.target.value)}
      />
    </div>
  );
}
