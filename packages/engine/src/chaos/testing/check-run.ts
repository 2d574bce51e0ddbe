import { setTimeout as pause } from "node:timers/promises";
import { PipelineStatus } from "@signalbox/contracts";
import { dispatchIdOf } from "@signalbox/core";
import { findRecordFaults, readRows } from "@signalbox/db/testing";
import type { AgentLog } from "./remote-agent.ts";
import type { SubmissionLog } from "./submissions.ts";

const ENDED: readonly number[] = [PipelineStatus.COMPLETED, PipelineStatus.FAILED, PipelineStatus.ABORTED];

/** Resolves when every pipeline is over. */
export async function waitUntilAllOver(url: string, limitMs: number): Promise<void> {
  const end = Date.now() + limitMs;
  for (;;) {
    const [row] = await readRows(
      url,
      `select count(*)::int as running from signalbox.pipelines where status not in (${ENDED.join(",")})`,
    );
    const running = Number(row?.["running"]);
    if (running === 0) return;
    if (Date.now() > end) throw new Error(`${running} pipelines were not over within ${limitMs} ms`);
    await pause(200);
  }
}

/** Holds what agents and submitters saw against what the database says; nothing found is an empty list. */
export async function findRunFaults(
  url: string,
  agents: AgentLog,
  submissions: SubmissionLog,
): Promise<string[]> {
  const [pipelines, results] = await Promise.all([
    readRows(url, "select pipeline_id, source_task_id, status, ended_at from signalbox.pipelines"),
    readRows(
      url,
      "select pipeline_id, stage_order, attempt_number from signalbox.results where standing = 'counted'",
    ),
  ]);
  const counted = new Set(results.map((row) => dispatchIdOf(placeOf(row))));
  return [
    ...(await findRecordFaults(url)),
    ...(await findEventFaults(url)),
    ...submissionFaults(pipelines, submissions),
    ...handingFaults(agents),
    ...agents.taken
      .filter((id) => !counted.has(id))
      .map((id) => `the result of ${id} was taken and is not on file`),
  ];
}

type Row = Record<string, unknown>;

const placeOf = (row: Row) => ({
  pipelineId: String(row["pipeline_id"]),
  stageOrder: Number(row["stage_order"]),
  attemptNumber: Number(row["attempt_number"]),
});

function submissionFaults(pipelines: readonly Row[], { tries, acknowledged }: SubmissionLog): string[] {
  const known = new Map(pipelines.map((row) => [String(row["pipeline_id"]), row]));
  const ofTask = Map.groupBy(pipelines, (row) => String(row["source_task_id"]));
  return [
    ...acknowledged.flatMap(({ taskId, pipelineId }) => {
      const row = known.get(pipelineId);
      if (row === undefined) return [`${pipelineId} was acknowledged and is lost`];
      return row["source_task_id"] === taskId ? [] : [`${pipelineId} is another task's`];
    }),
    ...pipelines
      .filter((row) => !ENDED.includes(Number(row["status"])) || row["ended_at"] === null)
      .map((row) => `${String(row["pipeline_id"])} never ended`),
    ...[...tries].flatMap(([taskId, count]) => {
      const made = ofTask.get(taskId)?.length ?? 0;
      return made > count ? [`${taskId} was asked for ${count} times and started ${made} times`] : [];
    }),
    ...(new Set(acknowledged.map(({ pipelineId }) => pipelineId)).size === acknowledged.length
      ? []
      : ["two submissions were answered with the same pipeline"]),
  ];
}

/** Each (idempotency key, attempt) is one dispatch, and was handed to one instance once. */
function handingFaults({ handed }: AgentLog): string[] {
  const attempts = Map.groupBy(
    handed,
    ({ envelope: { execution } }) => `${execution?.idempotencyKey}, attempt ${execution?.attemptNumber}`,
  );
  return [...attempts].flatMap(([attempt, hands]) =>
    hands.length === 1
      ? []
      : [
          `${attempt} was handed out ${hands.length} times: ${hands
            .map(({ envelope, instanceId }) => `${envelope.execution?.dispatchId} to ${instanceId}`)
            .join(", ")}`,
        ],
  );
}

type Told = {
  readonly revision: number;
  readonly transitions: readonly { stageId?: string; from: number; to: number }[];
};

/** What readers of the stream were told: revisions that rise, and steps of which each begins where the last one ended. */
async function findEventFaults(url: string): Promise<string[]> {
  const rows = await readRows(
    url,
    `select e.pipeline_id, e.payload, p.revision from signalbox.events e
     join signalbox.pipelines p using (tenant_id, pipeline_id)
     where e.kind = 'pipeline.changed' order by e.transaction, e.ordinal`,
  );
  const faults: string[] = [];
  for (const [pipelineId, told] of Map.groupBy(rows, (row) => String(row["pipeline_id"]))) {
    const at = new Map<string, number>();
    let last = 0;
    for (const row of told) {
      const { revision, transitions } = JSON.parse(String(row["payload"])) as Told;
      if (revision <= last) faults.push(`${pipelineId}: revision ${revision} was told after ${last}`);
      last = revision;
      for (const { stageId = "", from, to } of transitions) {
        const was = at.get(stageId) ?? from;
        if (was !== from) faults.push(`${pipelineId} ${stageId}: told from ${from} and was at ${was}`);
        at.set(stageId, to);
      }
    }
    const held = Number(told[0]?.["revision"]);
    if (last > held) faults.push(`${pipelineId}: revision ${last} was told and ${held} is held`);
  }
  return faults;
}
