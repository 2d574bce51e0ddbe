import { useEffect, useState } from "react";
import { CopyIcon } from "./icons.tsx";

type Outcome = "ready" | "copied" | "refused";

const words: Record<Outcome, string> = {
  ready: "Copy",
  copied: "Copied",
  refused: "The browser refused: select the text and copy it",
};

/** `what` completes the accessible name, since a page may hold several of these. */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<Outcome>("ready");

  useEffect(() => {
    if (outcome === "ready") return undefined;
    const timer = setTimeout(() => setOutcome("ready"), 4000);
    return () => clearTimeout(timer);
  }, [outcome]);

  return (
    <>
      <button
        type="button"
        aria-label={`Copy ${what}`}
        className="inline-flex min-h-9 wrap-normal items-center gap-2 rounded-sm border border-rule bg-panel px-3 text-sm font-medium text-ink-soft transition-colors hover:border-track/60 hover:text-ink"
        onClick={() => {
          void copy(text).then(setOutcome);
        }}
      >
        <CopyIcon />
        {words[outcome]}
      </button>
      <output className="sr-only">{outcome === "ready" ? "" : words[outcome]}</output>
    </>
  );
}

/** Over plain HTTP on a name other than localhost, a browser has no clipboard at all. */
async function copy(text: string): Promise<Outcome> {
  try {
    await navigator.clipboard.writeText(text);
    return "copied";
  } catch {
    return "refused";
  }
}
