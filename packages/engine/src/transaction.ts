import { SignalboxError } from "@signalbox/contracts";
import { DatabaseError, type DatabaseFault, type TenantTransaction } from "@signalbox/db";
import { type Blocked, isBlocked, tellBlocked } from "./blocked.ts";
import type { ReadinessWatcher } from "./readiness-watcher.ts";
import type { System } from "./system.ts";

const unreachable: ReadonlySet<DatabaseFault> = new Set(["UNREACHABLE", "ACCESS_DENIED", "DATABASE_MISSING"]);

/**
 * SQLSTATE classes of a server that is going, coming or full (08 connection, 53 resources, 57 operator intervention,
 * 55P03 lock not available; 25P03 and 25P04 when this process stood still in a transaction until the server ended
 * it), and what the driver and Node say of a connection that broke.
 */
const transient =
  /^(08...|25P0[34]|53...|57...|55P03|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE|ETIMEDOUT)$/;

const codeOf = (error: unknown) =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";

export const isDatabaseAway = (error: unknown): boolean =>
  error instanceof DatabaseError ? unreachable.has(error.fault) : transient.test(codeOf(error));

/** In one sentence, where all that this error says is that the database is away, or that this node was away from it. */
export function whyAway(error: unknown): string | undefined {
  const cause = error instanceof SignalboxError && error.code === "UNAVAILABLE" ? error.cause : error;
  const isAway = isDatabaseAway(cause) || isLeaseLost(cause);
  return isAway && cause instanceof Error ? cause.message : undefined;
}

export const isLeaseLost = (error: unknown): boolean =>
  error instanceof DatabaseError && error.fault === "LEASE_LOST";

/** Runs what needs the database; one that is away is UNAVAILABLE to the caller and news to the readiness watcher. */
export async function reach<T>(
  { readiness }: { readiness: Pick<ReadinessWatcher, "look"> },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (!isDatabaseAway(cause)) throw cause;
    void readiness.look();
    throw new SignalboxError("UNAVAILABLE", "The database does not answer. Try again in a moment.", {
      cause,
    });
  }
}

/**
 * One transaction that sees the tenant's rows: where a command writes its state and its audit entries together. What it refuses
 * because it could not be masked is on record all the same (D21).
 */
export async function transact<T>(
  system: System,
  tenantId: string,
  work: (tx: TenantTransaction) => Promise<T>,
): Promise<T> {
  return reach(system, async () => {
    try {
      return await system.database.inTenant(tenantId, work);
    } catch (error) {
      const blocked = { tenantId, requestId: "", pipelineId: null, what: "What was asked" };
      throw await toldIfBlocked(system, blocked, error);
    }
  });
}

/** The same error, once it is on record where it says that something could not be masked (D21). */
export async function toldIfBlocked<E>(
  system: Pick<System, "database" | "readiness">,
  blocked: Blocked,
  error: E,
): Promise<E> {
  if (isBlocked(error)) await reach(system, () => tellBlocked(system.database, blocked, error));
  return error;
}
