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

const labels: Record<Check["name"], string> = { process: "Process", database: "Database", schema: "Schema" };
const whenWell: Record<Check["name"], string> = {
  process: "It runs, and takes new work.",
  database: "PostgreSQL answers.",
  schema: "All migrations are applied.",
};

/** A draining process is going down as it was asked to; any other failed check is a fault. */
const aspectOf = ({ name, ok }: Check): Aspect => (ok ? "clear" : name === "process" ? "caution" : "danger");

const names = ["process", "database", "schema"] as const satisfies readonly Check["name"][];

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

export function headlineOf(readiness: Readiness | undefined, connection: Connection["kind"]): string {
  if (connection === "lost") return "Not known: the connection is lost.";
  if (readiness === undefined || connection !== "connected") return headlines.unlit;
  const aspects = new Set(readiness.checks.map(aspectOf));
  return headlines[(["danger", "caution"] as const).find((aspect) => aspects.has(aspect)) ?? "clear"];
}
