import type { AppRouter } from "@signalbox/api";
import type { inferRouterOutputs } from "@trpc/server";
import type { Connection } from "../connection/connection.ts";
import type { Aspect } from "../ui/signal.tsx";

type Yielded<Stream> = Stream extends AsyncIterable<infer Reading> ? Reading : Stream;
export type Readiness = Yielded<inferRouterOutputs<AppRouter>["system"]["readiness"]>;
type Check = Readiness["checks"][number];

export type ReadinessSignal = { id: string; label: string; aspect: Aspect; word?: string; reason: string };

const lineSignal = {
  idle: { aspect: "unlit", word: "Not connected", reason: "This page has not called the server." },
  connecting: { aspect: "unlit", word: "Connecting", reason: "This page is calling the server." },
  connected: { aspect: "clear", reason: "This page hears of every change as it happens." },
  lost: { aspect: "danger", word: "Lost", reason: "This page does not hear the server." },
} as const satisfies Record<Connection["kind"], Omit<ReadinessSignal, "id" | "label">>;

const labels: Record<Check["name"], string> = {
  process: "Process",
  database: "Database",
  schema: "Schema",
  loops: "Loops",
};
const whenWell: Record<Check["name"], string> = {
  process: "It runs, and takes new work.",
  database: "PostgreSQL answers.",
  schema: "All migrations are applied.",
  loops: "A process looks for what is due.",
};

/** A draining process is going down as it was asked to, and without loops work is taken all the same; the others are faults. */
const aspectOf = ({ name, ok }: Check): Aspect =>
  ok ? "clear" : name === "process" || name === "loops" ? "caution" : "danger";

const names = ["process", "database", "schema", "loops"] as const satisfies readonly Check["name"][];

/**
 * A reading that came over a line which is now dead says nothing about this moment, so its lamps go dark. All lamps stand
 * there before the first reading: they would push the page down as it comes.
 */
export function signalsOf(
  readiness: Readiness | undefined,
  connection: Connection["kind"],
): ReadinessSignal[] {
  const line: ReadinessSignal = { id: "line", label: "Line", ...lineSignal[connection] };
  const checks = names.map((name): ReadinessSignal => {
    const check = connection === "lost" ? undefined : readiness?.checks.find((one) => one.name === name);
    return {
      id: name,
      label: labels[name],
      aspect: check === undefined ? "unlit" : aspectOf(check),
      reason:
        check === undefined
          ? connection === "lost"
            ? "Not known while the line is down."
            : "It has not been read yet."
          : (check.reason ?? whenWell[name]),
    };
  });
  return [line, ...checks];
}

const headlines: Record<Aspect, string> = {
  danger: "Signalbox cannot take work now.",
  caution: "Signalbox is stopping: it finishes what it began and takes no new work.",
  unlit: "Waiting for the first reading.",
  clear: "Every check is clear: Signalbox is ready.",
};

const withoutLoops =
  "Signalbox takes work, but nothing looks for what is due: no process with loops is at work.";

export function headlineOf(readiness: Readiness | undefined, connection: Connection["kind"]): string {
  if (connection === "lost") return "Not known: the connection is lost.";
  if (readiness === undefined || connection !== "connected") return headlines.unlit;
  if (readiness.checks.every(({ name, ok }) => ok === (name !== "loops"))) return withoutLoops;
  const aspects = new Set(readiness.checks.map(aspectOf));
  return headlines[(["danger", "caution"] as const).find((aspect) => aspects.has(aspect)) ?? "clear"];
}
