import type { Connection } from "./connection.ts";
import { useConnection } from "./connection-store.ts";
import { Signal, type Aspect } from "../ui/signal.tsx";

const shown: Record<Connection["kind"], { aspect: Aspect; word: string }> = {
  idle: { aspect: "unlit", word: "Not connected" },
  connecting: { aspect: "unlit", word: "Connecting" },
  connected: { aspect: "clear", word: "Live" },
  lost: { aspect: "danger", word: "Connection lost" },
};

export function ConnectionIndicator() {
  const { aspect, word } = shown[useConnection().kind];
  return (
    <output aria-label="Connection" className="flex text-ink-soft">
      <Signal aspect={aspect} word={word} size="small" />
    </output>
  );
}
