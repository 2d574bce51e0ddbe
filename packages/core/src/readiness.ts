export type ReadinessStatus = "ready" | "degraded" | "draining";
export type ReadinessCheck = {
  name: "process" | "database" | "schema" | "loops";
  ok: boolean;
  reason?: string;
};
export type Readiness = { status: ReadinessStatus; checks: ReadinessCheck[] };

/** What the watcher found. A reason is shown to anybody who asks, so it names no host and no secret. */
export type ReadinessFacts = {
  draining: boolean;
  databaseReachable: boolean;
  schema: { pending: readonly string[]; unknownBreaking: readonly string[] } | undefined;
  /** Whether a process looks for what is due; undefined before anybody has asked. */
  loopsAtWork: boolean | undefined;
};

const check = (name: ReadinessCheck["name"], reason: string | undefined): ReadinessCheck =>
  reason === undefined ? { name, ok: true } : { name, ok: false, reason };

export function readinessOf(facts: ReadinessFacts): Readiness {
  const checks = [
    check("process", facts.draining ? "draining: the process finishes what it began and stops" : undefined),
    check("database", facts.databaseReachable ? undefined : "the database does not answer"),
    check("schema", schemaReason(facts)),
    check("loops", loopsReason(facts)),
  ];
  // Who serves goes on serving while no other process runs loops: sent away, nobody could so much as submit a task.
  const serves = checks.every(({ name, ok }) => ok || name === "loops");
  const status = facts.draining ? "draining" : serves ? "ready" : "degraded";
  return { status, checks };
}

function schemaReason({ databaseReachable, schema }: ReadinessFacts): string | undefined {
  if (!databaseReachable || schema === undefined) return "not known while the database does not answer";
  const { pending, unknownBreaking } = schema;
  if (unknownBreaking.length > 0) {
    return `the database has breaking migrations that this version does not know: ${unknownBreaking.join(", ")}`;
  }
  return pending.length > 0 ? `migrations are pending: ${pending.join(", ")}` : undefined;
}

function loopsReason({ databaseReachable, loopsAtWork }: ReadinessFacts): string | undefined {
  if (!databaseReachable) return "not known while the database does not answer";
  return loopsAtWork === false
    ? "no process looks for what is due: deadlines, retries and what waits in line stand still until one runs with SIGNALBOX_ROLE engine or all"
    : undefined;
}

/** Listeners hear of changes only: two readings that say the same are one. */
export function sameReadiness(one: Readiness, other: Readiness): boolean {
  return (
    one.status === other.status &&
    one.checks.length === other.checks.length &&
    one.checks.every(({ name, ok, reason }, index) => {
      const against = other.checks[index];
      return against?.name === name && against.ok === ok && against.reason === reason;
    })
  );
}
