import { useEffect, useEffectEvent } from "react";
import { listen } from "./stream.ts";
import type { LiveMessage } from "./stream-client.ts";

/**
 * Tells the page what happens in a topic of `/v1/stream` (docs/stream.md) while it is shown. The first message is
 * `started`: read anew then what the page shows; after it nothing is missed, a lost connection included.
 */
export function useTopic(topic: string, onMessage: (message: LiveMessage) => void): void {
  const tell = useEffectEvent(onMessage);
  useEffect(() => listen(topic, (message) => tell(message)), [topic]);
}
