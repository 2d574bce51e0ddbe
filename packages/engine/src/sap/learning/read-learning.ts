import { SignalboxError } from "@signalbox/contracts";
import type { Result } from "@signalbox/contracts/sap";
import { UuidSchema } from "@signalbox/contracts/sap";
import {
  type Aggregate,
  type AggregateKey,
  emptyAggregate,
  type LearningScope,
  LEARNT_PLAYBOOK,
  type Rating,
  readPublishedDocument,
} from "@signalbox/core";
import {
  findActiveDocument,
  findSapAggregates,
  type ListedSapCacheRecord,
  type ListedSapTask,
  listSapAggregates,
  listSapCacheRecords,
  listSapTasks,
  ratingsOf,
  type StoredRating,
  type StoredSapAggregate,
} from "@signalbox/db";
import { authorise } from "../../authorise.ts";
import { type PageRequest, readCursor, readLimit, readQuery, refuseCursor, writeCursor } from "../../page.ts";
import { holdsNul } from "../../storable.ts";
import type { Asked, System } from "../../system.ts";
import { transact } from "../../transaction.ts";
import { readStoredResult } from "../answer.ts";
import { keyOf, readAggregate } from "./learn.ts";
import { ratingIn } from "./rate-result.ts";

export type TaskWithResult = Omit<ListedSapTask, "result"> & {
  readonly result: Result;
  readonly ratings: readonly (Rating & { readonly by: string; readonly at: Date })[];
};

/** A page and where the next one begins. */
type Page<T> = { readonly rows: readonly T[]; readonly nextCursor: string | undefined };

const paged = <T>(found: readonly T[], limit: number, positionOf: (row: T) => readonly string[]): Page<T> => {
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  return {
    rows,
    nextCursor: found.length > limit && last !== undefined ? writeCursor(positionOf(last)) : undefined,
  };
};

/** Tasks of everybody, the newest first, with their Results as they stand and what people say of them. */
export async function listTasksWithResults(
  system: System,
  { caller }: Asked,
  page: PageRequest,
): Promise<Page<TaskWithResult>> {
  authorise(caller, "learning.read", undefined);
  const limit = readLimit(page.limit);
  const after = momentCursor(page.cursor);
  return transact(system, caller.tenantId, async (tx) => {
    const found = await listSapTasks(tx, {
      limit: limit + 1,
      after: after && { receivedAt: after.at, taskId: after.id },
    });
    const { rows, nextCursor } = paged(found, limit, (one) => [one.receivedAt.toISOString(), one.taskId]);
    const said = await ratingsOf(
      tx,
      rows.map(({ taskId }) => taskId),
    );
    const byTask = Map.groupBy(said, ({ taskId }) => taskId);
    return {
      nextCursor,
      rows: rows.map((row) => withRatings(row, byTask.get(row.taskId) ?? [])),
    };
  });
}

const withRatings = (row: ListedSapTask, said: readonly StoredRating[]): TaskWithResult => ({
  ...row,
  result: readStoredResult(row),
  ratings: said.map(saidOf),
});

function saidOf({ ratedBy: by, signal, recordedAt: at }: StoredRating): TaskWithResult["ratings"][number] {
  return { ...ratingIn(signal), by, at };
}

/** What the cache holds, the newest first. */
export async function listCacheRecords(
  system: System,
  { caller }: Asked,
  page: PageRequest,
): Promise<Page<ListedSapCacheRecord>> {
  authorise(caller, "learning.read", undefined);
  const limit = readLimit(page.limit);
  const after = momentCursor(page.cursor);
  const found = await transact(system, caller.tenantId, (tx) =>
    listSapCacheRecords(tx, {
      limit: limit + 1,
      after: after && { storedAt: after.at, recordId: after.id },
    }),
  );
  return paged(found, limit, (one) => [one.storedAt.toISOString(), one.recordId]);
}

function momentCursor(cursor: string | undefined): { at: string; id: string } | undefined {
  if (cursor === undefined) return undefined;
  const [at = "", id = ""] = readCursor(cursor, 2);
  if (Number.isNaN(new Date(at).getTime()) || !UuidSchema.safeParse(id).success) throw refuseCursor();
  return { at, id };
}

export type AggregateView = AggregateKey & { readonly aggregate: Aggregate; readonly changedAt: Date };

function viewOf(row: StoredSapAggregate): AggregateView {
  const { aggregate, changedAt } = row;
  return { ...keyOf(row), aggregate: readAggregate(aggregate), changedAt };
}

/** Signals by {capability, territory, fingerprint}, or by what stands above; by name. */
export async function listAggregates(
  system: System,
  { caller }: Asked,
  {
    by = "territory",
    capability,
    territory,
    ...page
  }: PageRequest & {
    by?: Exclude<LearningScope, "all"> | undefined;
    capability?: string | undefined;
    territory?: string | undefined;
  },
): Promise<Page<AggregateView>> {
  authorise(caller, "learning.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readNamesCursor(page.cursor);
  const found = await transact(system, caller.tenantId, (tx) =>
    listSapAggregates(tx, {
      scope: by,
      capability: readQuery(capability, "capability"),
      territory: territory === "" ? "" : readQuery(territory, "territory"),
      after,
      limit: limit + 1,
    }),
  );
  const { rows, nextCursor } = paged(found, limit, (one) => [one.capability, one.territory, one.fingerprint]);
  return {
    nextCursor,
    rows: rows.map(viewOf),
  };
}

function readNamesCursor(cursor: string) {
  const [capability = "", territory = "", fingerprint = ""] = readCursor(cursor, 3);
  if (holdsNul(capability + territory + fingerprint)) throw refuseCursor();
  return { capability, territory, fingerprint };
}

/** All of a tenant's signals together. */
export async function summariseLearning(system: System, { caller }: Asked): Promise<Aggregate> {
  authorise(caller, "learning.read", undefined);
  const key = { scope: "all", capability: "", territory: "", fingerprint: "" };
  const [found] = await transact(system, caller.tenantId, (tx) => findSapAggregates(tx, [key]));
  return found === undefined ? emptyAggregate : readAggregate(found.aggregate);
}

export type PlaybookInForce = {
  readonly capability: string;
  readonly territory: string | null;
  readonly text: string;
  /** It came of people's corrections, and was accepted. */
  readonly learnt: boolean;
};

/** What whoever works on a task is told, by the policy in force. */
export async function listPlaybooks(
  system: System,
  { caller }: Asked,
): Promise<{ policyVersion: string | null; playbooks: readonly PlaybookInForce[] }> {
  authorise(caller, "learning.read", undefined);
  const active = await transact(system, caller.tenantId, (tx) => findActiveDocument(tx, "routing-policy"));
  if (active === undefined) return { policyVersion: null, playbooks: [] };
  const read = readPublishedDocument("routing-policy", active.document);
  if (read.kind !== "valid")
    throw new SignalboxError(
      "INVALID_STATE",
      `The routing policy ${active.version} was published under other rules and cannot be read any more.`,
    );
  const playbooks = (read.document.sap?.playbooks ?? []).map(({ capability, territory, text }) => ({
    capability,
    territory: territory ?? null,
    text,
    learnt: text.startsWith(LEARNT_PLAYBOOK),
  }));
  return { policyVersion: active.version, playbooks };
}
