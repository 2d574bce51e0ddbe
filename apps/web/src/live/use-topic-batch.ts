import { useEffect, useRef } from "react";
import type { LiveMessage } from "./stream-client.ts";
import { useTopic } from "./use-topic.ts";

/** What is seen within this time is seen at once. */
const TOGETHER_MS = 40;

/** As `useTopic`, for a page that shows much: what comes together is told together, and drawn once. */
export function useTopicBatch(topic: string, onMessages: (messages: readonly LiveMessage[]) => void): void {
  const kept = useRef<LiveMessage[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useTopic(topic, (message) => {
    kept.current.push(message);
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      onMessages(kept.current.splice(0).filter((one) => one.topic === topic));
    }, TOGETHER_MS);
  });
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
      kept.current = [];
    },
    [],
  );
}
