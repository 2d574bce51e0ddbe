import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  ne,
  or,
  sql,
  type SQL,
} from "drizzle-orm";
import { queriesOf, type TenantTransaction } from "../database.ts";
import { escalations } from "../schema/escalations.ts";
import { pipelines } from "../schema/pipelines.ts";
import { taskTitle } from "./pipelines.ts";

export type StoredEscalation = Omit<typeof escalations.$inferSelect, "tenantId">;
/** With what a person knows the task by. */
export type EscalationOfTask = StoredEscalation & {
  readonly sourceTaskId: string | null;
  readonly taskTitle: string | null;
};
export type EscalationCursor = Pick<StoredEscalation, "openedAt" | "pipelineId" | "number">;
export type EscalationPlace = Pick<StoredEscalation, "pipelineId" | "number">;

export type EscalationFilter = {
  readonly open?: boolean | undefined;
  /** A member's id; `null`: nobody's. */
  readonly assigneeId?: string | null | undefined;
  readonly packId?: string | undefined;
  readonly cause?: string | undefined;
  readonly pipelineId?: string | undefined;
  /** Of these alone. */
  readonly pipelineIds?: readonly string[] | undefined;
  /** From this age on, and below that one, by the database's clock; what is closed has no age any more. */
  readonly agedMs?: { readonly from: number; readonly below: number } | undefined;
};

const { tenantId, ...columns } = getTableColumns(escalations);
const withTask = { ...columns, sourceTaskId: pipelines.sourceTaskId, taskTitle };
const itsPipeline = and(
  eq(pipelines.tenantId, escalations.tenantId),
  eq(pipelines.pipelineId, escalations.pipelineId),
);

/** The newest or the oldest first. */
export async function listEscalations(
  tx: TenantTransaction,
  page: EscalationFilter & {
    limit: number;
    after?: EscalationCursor | undefined;
    order?: "newest" | "oldest" | undefined;
  },
): Promise<{ escalations: EscalationOfTask[]; next: EscalationCursor | undefined }> {
  const { limit, after, order = "newest" } = page;
  const [sorted, beyond] = order === "newest" ? [desc, sql.raw("<")] : [asc, sql.raw(">")];
  const found = await queriesOf(tx)
    .select(withTask)
    .from(escalations)
    .leftJoin(pipelines, itsPipeline)
    .where(
      and(
        eq(tenantId, tx.tenantId),
        ...conditionsOf(page),
        after &&
          sql`(${escalations.openedAt}, ${escalations.pipelineId}, ${escalations.number})
            ${beyond} (${after.openedAt.toISOString()}::timestamptz, ${after.pipelineId}, ${after.number}::int)`,
      ),
    )
    .orderBy(sorted(escalations.openedAt), sorted(escalations.pipelineId), sorted(escalations.number))
    .limit(limit + 1);
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    escalations: shown,
    next:
      found.length > limit && last
        ? { openedAt: last.openedAt, pipelineId: last.pipelineId, number: last.number }
        : undefined,
  };
}

function conditionsOf(filter: EscalationFilter): (SQL | undefined)[] {
  const { open, assigneeId, packId, cause, pipelineId, pipelineIds, agedMs } = filter;
  return [
    open === undefined ? undefined : (open ? isNull : isNotNull)(escalations.closedAt),
    assigneeId === undefined
      ? undefined
      : assigneeId === null
        ? isNull(escalations.assigneeId)
        : eq(escalations.assigneeId, assigneeId),
    packId === undefined ? undefined : eq(escalations.packId, packId),
    cause === undefined ? undefined : eq(escalations.cause, cause),
    pipelineId === undefined ? undefined : eq(escalations.pipelineId, pipelineId),
    pipelineIds === undefined ? undefined : inArray(escalations.pipelineId, [...pipelineIds]),
    ...(agedMs === undefined ? [] : [isNull(escalations.closedAt), ...ageBetween(agedMs)]),
  ];
}

const before = (ms: number) => sql`now() - make_interval(secs => ${ms / 1000}::float8)`;

const ageBetween = ({ from, below }: { from: number; below: number }): (SQL | undefined)[] => [
  from > 0 ? sql`${escalations.openedAt} <= ${before(from)}` : undefined,
  Number.isFinite(below) ? sql`${escalations.openedAt} > ${before(below)}` : undefined,
];

const at = (tx: TenantTransaction, { pipelineId, number }: EscalationPlace) =>
  and(eq(tenantId, tx.tenantId), eq(escalations.pipelineId, pipelineId), eq(escalations.number, number));

export async function findEscalation(
  tx: TenantTransaction,
  pipelineId: string,
  number: number,
): Promise<EscalationOfTask | undefined> {
  const [found] = await queriesOf(tx)
    .select(withTask)
    .from(escalations)
    .leftJoin(pipelines, itsPipeline)
    .where(at(tx, { pipelineId, number }));
  return found;
}

/** The same, and whoever else would assign it, comment on it or close it waits until this transaction is over. */
export async function lockEscalation(
  tx: TenantTransaction,
  place: EscalationPlace,
): Promise<StoredEscalation | undefined> {
  const [found] = await queriesOf(tx).select(columns).from(escalations).where(at(tx, place)).for("update");
  return found;
}

export async function assignEscalation(
  tx: TenantTransaction,
  { assigneeId, ...place }: EscalationPlace & { assigneeId: string | null },
): Promise<void> {
  await queriesOf(tx)
    .update(escalations)
    .set({ assigneeId, assignedAt: assigneeId === null ? null : sql`now()` })
    .where(at(tx, place));
}

/** How many are open, counted up to `most`; of those how many wait longer than `lateMs`, and how many are this member's. */
export async function countOpenEscalations(
  tx: TenantTransaction,
  { most, lateMs, memberId }: { most: number; lateMs: number; memberId: string },
): Promise<{ open: number; late: number; own: number }> {
  const [counts] = await queriesOf(tx).execute<{ open: number; late: number; own: number }>(sql`
    select count(*)::int as open,
      count(*) filter (where opened_at <= ${before(lateMs)})::int as late,
      count(*) filter (where assignee_id = ${memberId})::int as own
    from (
      select opened_at, assignee_id from signalbox.escalations
      where tenant_id = ${tx.tenantId} and closed_at is null
      order by opened_at, pipeline_id, number limit ${most}
    ) as waiting`);
  return counts ?? { open: 0, late: 0, own: 0 };
}

/** What was closed of the same cause and task type, the latest first. */
export async function listLikeEscalations(
  tx: TenantTransaction,
  like: EscalationPlace & Pick<StoredEscalation, "cause" | "taskType">,
  most: number,
): Promise<EscalationOfTask[]> {
  return queriesOf(tx)
    .select(withTask)
    .from(escalations)
    .leftJoin(pipelines, itsPipeline)
    .where(
      and(
        eq(tenantId, tx.tenantId),
        eq(escalations.cause, like.cause),
        eq(escalations.taskType, like.taskType),
        isNotNull(escalations.closedAt),
        or(ne(escalations.pipelineId, like.pipelineId), ne(escalations.number, like.number)),
      ),
    )
    .orderBy(desc(escalations.closedAt))
    .limit(most);
}
