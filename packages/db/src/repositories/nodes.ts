import { asc, gt, sql } from "drizzle-orm";
import { errorCode } from "../connection-failure.ts";
import { DatabaseError } from "../database-error.ts";
import { connectionOf, queriesOf, type BatchTransaction, type Database } from "../database.ts";
import { readMoment } from "../schema/columns.ts";
import { nodes } from "../schema/nodes.ts";

export type Node = typeof nodes.$inferSelect;

/** Takes a lease and gives the epoch under which it is held; an earlier process of this name has lost its own. */
export async function joinNode(
  database: Database,
  nodeId: string,
  leaseMs: number,
  loops = true,
): Promise<number> {
  const [row] = await connectionOf(database).execute(
    sql`select signalbox.join_node(${nodeId}, ${leaseMs}, ${loops}) as epoch`,
  );
  return Number(row?.["epoch"]);
}

/** False: the lease ended, or another process has the name. What was held is lost; join again. */
export async function renewNode(
  database: Database,
  nodeId: string,
  epoch: number,
  leaseMs: number,
): Promise<boolean> {
  const [row] = await connectionOf(database).read(
    sql`select signalbox.renew_node(${nodeId}, ${epoch}, ${leaseMs}) as renewed`,
  );
  return row?.["renewed"] === true;
}

/** Says whether there was a lease to end. */
export async function leaveNode(database: Database, nodeId: string, epoch: number): Promise<boolean> {
  const [row] = await connectionOf(database).execute(
    sql`select signalbox.leave_node(${nodeId}, ${epoch}) as left_now`,
  );
  return row?.["left_now"] === true;
}

/** By name. */
export async function liveNodes(database: Database): Promise<Node[]> {
  const rows = await connectionOf(database).read(
    sql`select * from ${nodes} where ${gt(nodes.leaseExpiresAt, sql`now()`)} order by ${asc(nodes.nodeId)}`,
  );
  return rows.map((row) => ({
    nodeId: String(row["node_id"]),
    epoch: Number(row["epoch"]),
    startedAt: readMoment(row["started_at"]),
    leaseExpiresAt: readMoment(row["lease_expires_at"]),
    loops: row["loops"] === true,
  }));
}

/** SQLSTATE of `signalbox.assert_node`. */
const NO_LEASE = "SB001";

/**
 * The last statement of a node's transaction: it fails unless the lease outlasts every commit that is still possible. One is
 * possible for longer where the process froze between this statement and its end, both of which leave in one piece
 * (`TRANSACTION_TIMEOUT_MS`).
 */
export async function assertNode(tx: BatchTransaction, nodeId: string, epoch: number): Promise<void> {
  try {
    await queriesOf(tx).execute(sql`select signalbox.assert_node(${nodeId}, ${epoch})`);
  } catch (error) {
    if (errorCode(error) === NO_LEASE) {
      throw new DatabaseError("LEASE_LOST", `Node ${nodeId}, epoch ${epoch}, has no lease any more.`, {
        cause: error,
      });
    }
    throw error;
  }
}
