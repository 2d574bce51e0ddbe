import { type Result, UuidSchema } from "@signalbox/contracts/sap";
import type { Rating } from "@signalbox/core";
import {
  findSapTasksOfPipelines,
  latestSapResults,
  type ListedSapTask,
  listSapTasks,
  ratingsOf,
  type StoredRating,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../../authorise.ts";
import { type PageRequest, readLimit } from "../../page.ts";
import type { Asked, System } from "../../system.ts";
import { transact } from "../../transaction.ts";
import { readStoredResult } from "../answer.ts";
import { requireSapTask } from "../read-sap-results.ts";
import { momentCursor, type Page, paged } from "./pages.ts";
import { ratingIn } from "./rate-result.ts";

/** A person's last word on a result. */
export type GivenRating = Rating & { readonly by: string; readonly at: Date };

export type RatedTask = ListedSapTask & { readonly ratings: readonly GivenRating[] };

const givenIn = ({ ratedBy: by, signal, recordedAt: at }: StoredRating): GivenRating => ({
  ...ratingIn(signal),
  by,
  at,
});

const ratedBy = (row: ListedSapTask, said: readonly StoredRating[]): RatedTask => ({
  ...row,
  ratings: said.map(givenIn),
});

/** Tasks of everybody, the newest first, with what their Results say and what people say of them. */
export async function listRatedTasks(
  system: System,
  { caller }: Asked,
  page: PageRequest,
): Promise<Page<RatedTask>> {
  authorise(caller, "learning.read", undefined);
  const limit = readLimit(page.limit);
  const after = momentCursor(page.cursor);
  return transact(system, caller.tenantId, async (tx) => {
    const found = await listSapTasks(tx, {
      limit: limit + 1,
      after: after && { receivedAt: after.at, taskId: after.id },
    });
    const { rows, nextCursor } = paged(found, limit, (one) => [one.receivedAt.toISOString(), one.taskId]);
    const taskIds = rows.map(({ taskId }) => taskId);
    const byTask = Map.groupBy(await ratingsOf(tx, taskIds), ({ taskId }) => taskId);
    return {
      nextCursor,
      rows: rows.map((row) => ratedBy(row, byTask.get(row.taskId) ?? [])),
    };
  });
}

/** What people say of a task's result, the newest first. */
export async function listRatings(
  system: System,
  asked: Asked,
  taskId: string,
): Promise<readonly GivenRating[]> {
  authorise(asked.caller, "learning.read", undefined);
  return transact(system, asked.caller.tenantId, async (tx) => {
    const task = await requireSapTask(tx, asked, taskId);
    return givenOf(tx, task.taskId);
  });
}

export type PipelineResult = {
  readonly taskId: string;
  readonly capability: string;
  readonly territory: string | null;
  readonly result: Result;
  readonly ratings: readonly GivenRating[];
};

/** The Result that a pipeline was started for; undefined where it is no task of SAP, or is not there. */
export async function readPipelineResult(
  system: System,
  { caller }: Asked,
  pipelineId: string,
): Promise<PipelineResult | undefined> {
  authorise(caller, "learning.read", undefined);
  const { tenantId } = caller;
  if (!UuidSchema.safeParse(pipelineId).success) return undefined;
  return transact(system, tenantId, async (tx) => {
    const [task] = await findSapTasksOfPipelines(tx, [{ tenantId, pipelineId }]);
    if (task === undefined) return undefined;
    const { taskId, capability, territory } = task;
    const [latest] = await latestSapResults(tx, [task]);
    if (latest === undefined) throw new Error(`task ${taskId} is on file without a Result`);
    const ratings = await givenOf(tx, taskId);
    return { taskId, capability, territory, result: readStoredResult(latest), ratings };
  });
}

const givenOf = async (tx: TenantTransaction, taskId: string): Promise<GivenRating[]> =>
  (await ratingsOf(tx, [taskId])).map(givenIn);
