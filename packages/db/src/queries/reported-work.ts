import { sql } from "drizzle-orm";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DISPATCH_KEY, type DispatchKey } from "./keys.ts";
import { eventsOf, holdsType, isOfType } from "./events-of-runs.ts";
import { recordset } from "./recordset.ts";

export interface ReportedWorkRow extends DispatchKey {
  /** One more than the highest index; 0 where no turn was reported. */
  turns: number;
  calls: number;
  /** Each kind of call once, as a JSON list of `{tool, command}`. */
  used: string;
}

/** Of one attempt. It is read under the pipelines' locks, with a whole batch behind it; docs/saop.md says what is not looked at. */
const MOST_CALLS = 5_000;
const LONGEST_COMMAND = 4_000;
const CALLS = ["TOOL_LIFECYCLE_INVOKED"];

/** What agents told of these attempts: turns, and calls of tools with what runs something, in one statement. */
export async function findReportedWork(
  tx: BatchTransaction,
  keys: readonly DispatchKey[],
): Promise<ReportedWorkRow[]> {
  if (keys.length === 0) {
    return [];
  }
  const mine = sql`own.tenant_id = given."tenantId" and own.pipeline_id = given."pipelineId"
    and own.stage_order = given."stageOrder" and own.attempt_number = given."attemptNumber"`;
  const found = await queriesOf(tx).execute<ReportedWorkRow & Record<string, unknown>>(sql`
    select given.*, shown.turns, told.calls, told.used
    from ${recordset(keys, DISPATCH_KEY)}
    cross join lateral (
      select coalesce(max(own.turn_index) + 1, 0)::int as turns from signalbox.turns own where ${mine}
    ) as shown
    cross join lateral (
      select coalesce(sum(kind.calls), 0)::int as calls,
        coalesce(json_agg(json_build_object('tool', kind.tool, 'command', kind.command))::text, '[]') as used
      from (
        select said ->> 'tool' as tool, count(*) as calls,
          left(coalesce(said -> 'arguments' ->> 'command', said -> 'arguments' ->> 'cmd', said -> 'arguments' ->> 'script'),
            ${LONGEST_COMMAND}::int) as command
        from (
          select own.event -> 'payload' as said
          from (
            select * from signalbox.trace_runs own
            where ${mine} and ${holdsType(CALLS)}
            order by own.turn_index, own.first_sequence
            limit ${MOST_CALLS}::int
          ) as run
          cross join ${eventsOf(sql`run`)}
          where ${isOfType(CALLS)}
          order by run.turn_index, run.first_sequence, own.place
          limit ${MOST_CALLS}::int
        ) as invoked
        group by 1, 3
      ) as kind
    ) as told`);
  return Array.from(found);
}
