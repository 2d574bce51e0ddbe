import { dispatchIdOf } from "@signalbox/core";
import { findPipeline, listTurns, type TenantTransaction } from "@signalbox/db";
import { SignalboxError } from "@signalbox/contracts";
import { authorise } from "../authorise.ts";
import { cursorsOf, type PageRequest, readLimit, refuseCursor } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

const cursors = cursorsOf("turns");

export type OfPipelinePage = Pick<PageRequest, "cursor" | "limit"> & {
  readonly pipelineId: string;
  readonly stageId?: string | undefined;
};

export type TurnView = {
  readonly stageId: string;
  readonly dispatchId: string;
  readonly attemptNumber: number;
  readonly receivedAt: Date;
  /** The turn envelope as it was kept. */
  readonly turn: unknown;
  /** What was masked in it, and where. */
  readonly marks: unknown;
};

export type TurnPage = { readonly turns: readonly TurnView[]; readonly nextCursor: string | undefined };

/** A pipeline's turns by stage, attempt and turn, in whatever order they came. */
export async function readTurns(system: System, { caller }: Asked, page: OfPipelinePage): Promise<TurnPage> {
  authorise(caller, "trace.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readPlace(page.cursor);
  const { pipelineId, stageId } = page;
  const found = await transact(system, caller.tenantId, async (tx) => {
    await requirePipeline(tx, pipelineId);
    if (stageId !== undefined && holdsNul(stageId)) return [];
    return listTurns(tx, pipelineId, { limit: limit + 1, after, stageId });
  });
  const shown = found.slice(0, limit);
  const last = shown.at(-1);
  return {
    turns: shown.map((row) => ({
      stageId: row.stageId,
      dispatchId: dispatchIdOf({ pipelineId, ...row }),
      attemptNumber: row.attemptNumber,
      receivedAt: row.receivedAt,
      turn: JSON.parse(row.turn) as unknown,
      marks: JSON.parse(row.marks) as unknown,
    })),
    nextCursor:
      found.length > limit && last
        ? cursors.write([last.stageOrder, last.attemptNumber, last.turnIndex].map(String))
        : undefined,
  };
}

export async function requirePipeline(tx: TenantTransaction, pipelineId: string): Promise<void> {
  const found = holdsNul(pipelineId) ? undefined : await findPipeline(tx, pipelineId);
  if (found === undefined)
    throw new SignalboxError("NOT_FOUND", `There is no pipeline "${pipelineId.slice(0, 100)}".`);
}

function readPlace(cursor: string) {
  const [stageOrder, attemptNumber, turnIndex] = readNumbers(cursors.read(cursor, 3));
  return { stageOrder: stageOrder ?? 0, attemptNumber: attemptNumber ?? 0, turnIndex: turnIndex ?? 0 };
}

/** Numbers of a cursor, as columns of four bytes hold them. */
export function readNumbers(parts: readonly string[]): number[] {
  if (parts.some((part) => !/^\d{1,10}$/.test(part) || Number(part) > 2_147_483_647)) throw refuseCursor();
  return parts.map(Number);
}
