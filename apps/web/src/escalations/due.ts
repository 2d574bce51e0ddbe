import type { Aspect } from "../ui/signal.tsx";

const minuteMs = 60_000;

/** "4 min", "3 h 20 min", "2 d 5 h": two units at most, and never more than it is. */
export function shortSpan(ms: number): string {
  const minutes = Math.floor(Math.max(0, ms) / minuteMs);
  if (minutes < 1) return "under a minute";
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return joined(`${hours} h`, minutes % 60, "min");
  return joined(`${Math.floor(hours / 24)} d`, hours % 24, "h");
}

const joined = (first: string, rest: number, unit: string) =>
  rest === 0 ? first : `${first} ${rest} ${unit}`;

type Asked = {
  openedAt: string;
  answerSoonAt: string;
  answerDueAt: string;
  closedAt: string | null;
  end: { kind: "resolved" | "superseded" } | null;
};
export type Due = { aspect: Aspect; word: string };

/** How a question stands to the time in which it is to be answered. An open one always calls; a late one calls louder. */
export function dueOf(asked: Asked, now: number): Due {
  if (asked.closedAt !== null)
    return asked.end?.kind === "resolved"
      ? { aspect: "clear", word: "Resolved" }
      : { aspect: "unlit", word: "No longer asked" };
  const left = Date.parse(asked.answerDueAt) - now;
  if (left <= 0) return { aspect: "danger", word: `${shortSpan(-left)} late` };
  const isSoon = now >= Date.parse(asked.answerSoonAt);
  return { aspect: "caution", word: `${isSoon ? "only " : ""}${shortSpan(left)} left` };
}

/** Since it was asked, or how long it took. */
export function ageOf({ openedAt, closedAt }: Pick<Asked, "openedAt" | "closedAt">, now: number): string {
  const from = Date.parse(openedAt);
  return closedAt === null
    ? `asked ${shortSpan(now - from)} ago`
    : `took ${shortSpan(Date.parse(closedAt) - from)}`;
}
