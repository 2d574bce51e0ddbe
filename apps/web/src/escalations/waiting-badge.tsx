import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useLayoutEffect, useRef } from "react";
import { useFresh } from "../live/use-fresh.ts";
import { useTopic } from "../live/use-topic.ts";
import { paths } from "../paths.ts";
import { client } from "../trpc.ts";
import { taskInWords } from "../pipelines/task-name.ts";
import { tellInBrowser, wantsNotice } from "./browser-notices.ts";
import { countInWords, waiting, waitingKey } from "./waiting-query.ts";

const changesCount = new Set(["escalation.opened", "escalation.closed", "escalation.assigned"]);

/** How many questions wait, beside the way to them; and the browser's notice of a new one, where somebody asked for it. */
export function WaitingBadge() {
  const router = useRouter();
  const tell = async (escalationId: string) => {
    try {
      const of = await client.escalations.get.query({ escalationId });
      tellInBrowser(taskInWords(of), { stageId: of.stageId, tag: escalationId }, () => {
        void router.navigate(paths.escalation(escalationId));
      });
    } catch {
      // The badge and the inbox say that it waits.
    }
  };
  const { data } = useQuery(waiting());
  useFresh("escalations", (message) =>
    message.type === "started" || changesCount.has(message.kind) ? [waitingKey] : [],
  );
  useTopic("escalations", (message) => {
    if (message.type !== "event" || message.kind !== "escalation.opened") return;
    const { escalationId } = message.data;
    if (typeof escalationId === "string" && wantsNotice()) void tell(escalationId);
  });
  const badge = useRef<HTMLSpanElement>(null);
  const isShown = data !== undefined && data.open > 0;
  useLayoutEffect(() => {
    if (isShown) keepStationInView(badge.current);
  }, [isShown]);
  if (!isShown) return null;
  const { late } = data;
  return (
    <span
      ref={badge}
      className={`ml-auto rounded-[3px] border px-1.5 font-mono text-xs font-semibold tabular-nums ${late > 0 ? "border-danger-rule bg-danger-panel" : "border-caution-rule bg-caution-panel"} text-ink`}
    >
      {countInWords(data)}
      <span className="sr-only"> waiting{late > 0 && `, ${late} of them late`}</span>
    </span>
  );
}

/** It makes the line longer, and on a narrow screen pushed the station that one is at over the edge. */
function keepStationInView(badge: HTMLElement | null): void {
  const line = badge?.closest("ul");
  const station = line?.querySelector("[aria-current=page]");
  if (!line || !station) return;
  const beyond = station.getBoundingClientRect().right - line.getBoundingClientRect().right;
  if (beyond > 0) line.scrollLeft += beyond + 16;
}
