import { isDeepStrictEqual } from "node:util";
import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import { assembleState, dispatchIdOf, foldEntries, type PipelineState } from "@signalbox/core";
import { readRows } from "@signalbox/db/testing";

type Row = Record<string, unknown>;

const text = (row: Row, column: string): string => String(row[column]);
const keyOf = (row: Row): string => `${text(row, "tenant_id")}/${text(row, "pipeline_id")}`;
const parsed = (row: Row, column: string): unknown => JSON.parse(text(row, column));

/**
 * Everything that must hold of a database in which pipelines ran, whatever happened to whoever ran them. What it finds is
 * said in words; nothing found is an empty list. Every test that ran pipelines asks this when it ends (FOLD-1).
 */
export async function findRecordFaults(url: string): Promise<string[]> {
  const tables = await readTables(url);
  return [...tables.pipelines.flatMap((pipeline) => faultsOf(pipeline, tables)), ...strangers(tables)];
}

type Tables = Awaited<ReturnType<typeof readTables>>;

async function readTables(url: string) {
  const all = (query: string) => readRows(url, query);
  const [pipelines, stages, escalations, entries, open, dispatches, results] = await Promise.all([
    all(
      "select p.*, t.plan from signalbox.pipelines p join signalbox.tasks t using (tenant_id, pipeline_id)",
    ),
    all("select * from signalbox.stages order by stage_order"),
    all("select * from signalbox.escalations order by number"),
    all("select tenant_id, pipeline_id, payload from signalbox.audit_entries where pipeline_id is not null"),
    all("select * from signalbox.open_dispatches"),
    all("select tenant_id, pipeline_id, stage_order, attempt_number from signalbox.dispatches"),
    all("select tenant_id, pipeline_id, stage_order, attempt_number, standing from signalbox.results"),
  ]);
  return {
    pipelines,
    stages: Map.groupBy(stages, keyOf),
    escalations: Map.groupBy(escalations, keyOf),
    entries: Map.groupBy(entries, keyOf),
    open: Map.groupBy(open, keyOf),
    dispatches: Map.groupBy(dispatches, keyOf),
    results: Map.groupBy(results, keyOf),
  };
}

function faultsOf(pipeline: Row, tables: Tables): string[] {
  const key = keyOf(pipeline);
  const entries = tables.entries.get(key) ?? [];
  const state = stateOf(pipeline, tables);
  const folded = foldEntries(entries.map((entry) => parsed(entry, "payload")));
  if (folded.kind !== "folded") return [`${key}: its entries do not fold: ${JSON.stringify(folded)}`];
  return [
    ...(isDeepStrictEqual(folded.state, state)
      ? []
      : [
          `${key}: its entries give another state:\n${JSON.stringify(folded.state)}\n${JSON.stringify(state)}`,
        ]),
    ...dispatchFaults(key, state, tables),
    ...queueFaults(key, state, tables),
    ...columnFaults(key, pipeline, state),
  ];
}

function stateOf(pipeline: Row, { stages, escalations }: Tables): PipelineState {
  const key = keyOf(pipeline);
  return assembleState({
    plan: parsed(pipeline, "plan"),
    state: parsed(pipeline, "state"),
    revision: Number(pipeline["revision"]),
    stages: (stages.get(key) ?? []).map((row) => ({
      stageOrder: Number(row["stage_order"]),
      state: parsed(row, "state"),
    })),
    escalations: (escalations.get(key) ?? [])
      .filter((row) => row["closed_at"] === null)
      .map((row) => parsed(row, "escalation")),
  });
}

const placeOf = (row: Row): string =>
  dispatchIdOf({
    pipelineId: text(row, "pipeline_id"),
    stageOrder: Number(row["stage_order"]),
    attemptNumber: Number(row["attempt_number"]),
  });

/** What an agent has is what the pipeline thinks it has; everything that was sent is on file, and counts once at most. */
function dispatchFaults(key: string, state: PipelineState, tables: Tables): string[] {
  const current = state.stages.flatMap(({ dispatch }) =>
    dispatch === null || dispatch.reportedAt !== null ? [] : [dispatch.dispatchId],
  );
  const open = (tables.open.get(key) ?? []).map(placeOf);
  const sent = new Set((tables.dispatches.get(key) ?? []).map(placeOf));
  const counted = new Set(
    (tables.results.get(key) ?? []).filter((row) => row["standing"] === "counted").map(placeOf),
  );
  const accepted = state.stages.flatMap(({ result }) => (result === null ? [] : [result.dispatchId]));
  return [
    ...different(`${key}: open dispatches`, open, current),
    ...accepted.filter((id) => !counted.has(id)).map((id) => `${key}: result of ${id} is not on file`),
    ...[...current, ...accepted].filter((id) => !sent.has(id)).map((id) => `${key}: ${id} was never sent`),
  ];
}

function different(what: string, found: readonly string[], wanted: readonly string[]): string[] {
  const same = isDeepStrictEqual(found.toSorted(), wanted.toSorted());
  return same
    ? []
    : [`${what} are ${found.join(", ") || "none"}, and should be ${wanted.join(", ") || "none"}`];
}

/** A stage that may be sent is in the queue, and nothing else is: what is not would wait for ever. */
function queueFaults(key: string, state: PipelineState, { stages }: Tables): string[] {
  const queued = (stages.get(key) ?? []).flatMap((row) =>
    row["claimable_at"] === null ? [] : [text(row, "stage_id")],
  );
  const ready = state.stages.flatMap((stage, order) =>
    stage.status === StageStatus.READY && stage.hold === null && state.status === PipelineStatus.RUNNING
      ? [state.plan.stages[order]?.stageId ?? ""]
      : [],
  );
  return different(`${key}: queued stages`, queued, ready);
}

function columnFaults(key: string, pipeline: Row, state: PipelineState): string[] {
  return [
    ...(Number(pipeline["status"]) === state.status ? [] : [`${key}: its column says another status`]),
    ...((pipeline["ended_at"] === null) === (state.endedAt === null)
      ? []
      : [`${key}: its column says another end`]),
  ];
}

/** Rows of a pipeline that there is not: an entry without its state, or a dispatch without its pipeline. */
function strangers(tables: Tables): string[] {
  const known = new Set(tables.pipelines.map(keyOf));
  const { stages, escalations, entries, open, dispatches, results } = tables;
  return Object.entries({ stages, escalations, entries, open, dispatches, results }).flatMap(([name, rows]) =>
    [...rows.keys()].filter((key) => !known.has(key)).map((key) => `${name} of an unknown pipeline ${key}`),
  );
}
