import { sql } from "drizzle-orm";
import { connectionOf, type Database } from "../database.ts";

/** What attempts are counted by: a hash, how many are let through in a window, and how long that is. */
export type AttemptBucket = { bucket: string; most: number; seconds: number };

/** Counts one attempt in each bucket; gives how many seconds must pass first, or 0. Commits by itself: a refused attempt counts. */
export async function countSignInAttempt(
  database: Database,
  buckets: readonly AttemptBucket[],
): Promise<number> {
  const [row] = await connectionOf(database).execute(
    sql`select signalbox.count_sign_in_attempt(${JSON.stringify(buckets)}::text::json) as wait`,
  );
  return Number(row?.["wait"]);
}

/** After a success: `forgotten` begin anew, and `returned` have one attempt back. */
export async function forgiveSignInAttempt(
  database: Database,
  { forgotten, returned }: { forgotten: readonly string[]; returned: readonly string[] },
): Promise<void> {
  await connectionOf(database).execute(
    sql`select signalbox.forgive_sign_in_attempt(${json(forgotten)}::text::json, ${json(returned)}::text::json)`,
  );
}

const json = (buckets: readonly string[]): string => JSON.stringify(buckets.map((bucket) => ({ bucket })));
