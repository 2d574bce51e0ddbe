import { isDeepStrictEqual } from "node:util";
import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import {
  assembleState,
  type AuditFact,
  dispatchIdOf,
  factOf,
  foldEntries,
  type PipelineState,
  pipelineTransitions,
  stageTransitions,
} from "@signalbox/core";
import { sql } from "drizzle-orm";
import { type Connection, withConnection } from "../connection.ts";

type Row = Record<string, unknown>;

const text = (row: Row, column: string): string => String(row[column]);
const keyOf = (row: Row): string => `${text(row, "tenant_id")}/${text(row, "pipeline_id")}`;
const parsed = (row: Row, column: string): unknown => JSON.parse(text(row, column));

/**
 * Everything that must hold of a database in which pipelines ran, whatever happened to whoever ran them. What it finds is
 * said in words; nothing found is an empty list. Every test database is asked this before it is dropped (FOLD-1).
 */
export async function findRecordFaults(url: string): Promise<string[]> {
  const tables = await withConnection(url, readTables);
  return [...tables.pipelines.flatMap((pipeline) => faultsOf(pipeline, tables)), ...strangers(tables)];
}

type Tables = Awaited<ReturnType<typeof readTables>>;

async function readTables(connection: Connection) {
  const all = (query: string): Promise<Row[]> => connection.execute(sql.raw(query));
  const grouped = async (query: string) => Map.groupBy(await all(query), keyOf);
  return {
    pipelines: await all(
      "select p.*, t.plan from signalbox.pipelines p left join signalbox.tasks t using (tenant_id, pipeline_id)",
    ),
    stages: await grouped("select * from signalbox.stages order by stage_order"),
    escalations: await grouped("select * from signalbox.escalations order by number"),
    entries: await grouped(
      `select tenant_id, pipeline_id, trace_id, stage_id, dispatch_id, attempt_number, pack_id, payload
       from signalbox.audit_entries where pipeline_id is not null order by recorded_at, audit_id`,
    ),
    open: await grouped("select * from signalbox.open_dispatches"),
    dispatches: await grouped(
      "select tenant_id, pipeline_id, stage_order, attempt_number from signalbox.dispatches",
    ),
    results: await grouped(
      "select tenant_id, pipeline_id, stage_order, attempt_number, standing from signalbox.results",
    ),
  };
}

function faultsOf(pipeline: Row, tables: Tables): string[] {
  const key = keyOf(pipeline);
  if (pipeline["plan"] === null) return [`${key}: it has no task`];
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
    ...stepFaults(key, entries),
    ...correlationFaults(key, pipeline, entries),
    ...dispatchFaults(key, state, tables),
    ...queueFaults(key, state, tables),
    ...columnFaults(key, pipeline, state),
  ];
}

/** PIPE-1, STAGE-1: whatever order the commits came in, each step on record is one of 4.5. */
function stepFaults(key: string, entries: readonly Row[]): string[] {
  const recorded = entries
    .map((entry): AuditFact => factOf(parsed(entry, "payload")))
    .flatMap((fact) => (fact.revision === null ? [] : { revision: fact.revision, changes: fact.changes }));
  const facts = recorded.toSorted((one, other) => one.revision - other.revision);
  const stages = new Map<string, StageStatus>();
  let standing: PipelineStatus = PipelineStatus.PENDING;
  // D19: by the database's times and ids, entries stand in the order in which they were decided.
  const faults = facts.flatMap(({ revision }, place) =>
    recorded[place]?.revision === revision
      ? []
      : [`${key}: the record has revision ${recorded[place]?.revision} where ${revision} belongs`],
  );
  for (const { revision, changes } of facts) {
    for (const change of changes) {
      if (change.kind === "pipeline" && change.set.status !== undefined) {
        const { status: to } = change.set;
        if (to !== standing && pipelineTransitions.get(standing)?.includes(to) !== true)
          faults.push(`${key}: at revision ${revision} it went from status ${standing} to ${to}`);
        standing = to;
      }
      if (change.kind === "stage" && change.set.status !== undefined) {
        const { status: to } = change.set;
        const from = stages.get(change.stageId) ?? StageStatus.PENDING;
        if (to !== from && stageTransitions.get(from)?.includes(to) !== true)
          faults.push(`${key}: at revision ${revision} ${change.stageId} went from status ${from} to ${to}`);
        stages.set(change.stageId, to);
      }
    }
  }
  return faults;
}

const correlation = [
  ["stage_id", "stageId"],
  ["dispatch_id", "dispatchId"],
  ["pack_id", "packId"],
  ["trace_id", "traceId"],
  ["tenant_id", "tenantId"],
] as const;

/** A2A 5.2: what an entry is found by is what it says, and its trace is its pipeline's. */
function correlationFaults(key: string, pipeline: Row, entries: readonly Row[]): string[] {
  return entries.flatMap((entry) => {
    const said = parsed(entry, "payload") as Row;
    const differing = correlation.filter(([column, field]) => (entry[column] ?? "") !== (said[field] ?? ""));
    return [
      ...differing.map(([column]) => `${key}: the column ${column} of an entry says another than the entry`),
      ...((entry["attempt_number"] ?? 0) === (said["attemptNumber"] ?? 0)
        ? []
        : [`${key}: an entry's column says another attempt`]),
      ...(entry["trace_id"] === pipeline["trace_id"]
        ? []
        : [`${key}: its entry ${text(said, "action")} is of another trace`]),
    ];
  });
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
  const results = (tables.results.get(key) ?? []).filter((row) => row["standing"] === "counted").map(placeOf);
  const counted = new Set(results);
  const accepted = state.stages.flatMap(({ result }) => (result === null ? [] : [result.dispatchId]));
  return [
    ...different(`${key}: open dispatches`, open, current),
    ...(counted.size === results.length ? [] : [`${key}: a dispatch has two results that count`]),
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
