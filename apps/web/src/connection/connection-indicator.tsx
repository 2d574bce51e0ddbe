import type { Connection } from "./connection.ts";
import { useConnection } from "./connection-store.ts";
import { Signal, type Aspect } from "../ui/signal.tsx";

const shown: Record<Connection["kind"], { aspect: Aspect; word: string }> = {
  idle: { aspect: "unlit", word: "Not connected" },
  connecting: { aspect: "unlit", word: "Connecting" },
  connected: { aspect: "clear", word: "Live" },
  lost: { aspect: "danger", word: "Connection lost" },
};

/** On a narrow screen the words of what is over in a moment would take a line of their own, and move the page twice. */
export function ConnectionIndicator() {
  const { aspect, word } = shown[useConnection().kind];
  return (
    <output aria-label="Connection" className="flex text-ink-soft">
      <Signal
        aspect={aspect}
        word={aspect === "unlit" ? <span className="max-md:sr-only">{word}</span> : word}
        size="small"
      />
    </output>
  );
}
