import { SignalboxError } from "@signalbox/contracts";
import {
  type Escalation,
  type EscalationEnd,
  escalationIdOf,
  readEscalation,
  readEscalationEnd,
  readEscalationId,
} from "@signalbox/core";
import {
  type EscalationCursor,
  findEscalation,
  listEscalations as listEscalationRows,
  type StoredEscalation,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { type PageRequest, readCursor, readLimit, refuseCursor, writeCursor } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

export type EscalationView = {
  readonly escalation: Escalation;
  readonly pipelineId: string;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  /** Who chose what, or what made it needless; `null` while it is open. */
  readonly end: EscalationEnd | null;
};

function viewOf({ escalation, closing, pipelineId, openedAt, closedAt }: StoredEscalation): EscalationView {
  return {
    escalation: readEscalation(JSON.parse(escalation)),
    pipelineId,
    openedAt,
    closedAt,
    end: closing === null ? null : readEscalationEnd(JSON.parse(closing)),
  };
}

/** Missing and another tenant's are one answer: row security never shows the latter. */
export async function getEscalation(
  system: System,
  { caller }: Asked,
  escalationId: string,
): Promise<EscalationView> {
  authorise(caller, "escalation.read", undefined);
  const place = readEscalationId(escalationId);
  const found =
    place &&
    (await transact(system, caller.tenantId, (tx) => findEscalation(tx, place.pipelineId, place.number)));
  if (found !== undefined) return viewOf(found);
  throw new SignalboxError("NOT_FOUND", `There is no escalation "${escalationId.slice(0, 100)}".`);
}

export type EscalationPage = {
  readonly escalations: readonly EscalationView[];
  readonly nextCursor: string | undefined;
};

/** The newest first; all, or those that are open, or those that are not. */
export async function listEscalations(
  system: System,
  { caller }: Asked,
  page: PageRequest & { readonly open?: boolean | undefined },
): Promise<EscalationPage> {
  authorise(caller, "escalation.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : cursorOf(page.cursor);
  const { escalations, next } = await transact(system, caller.tenantId, (tx) =>
    listEscalationRows(tx, { limit, after, open: page.open }),
  );
  return {
    escalations: escalations.map(viewOf),
    nextCursor:
      next &&
      writeCursor([
        next.openedAt.toISOString(),
        escalationIdOf({ pipelineId: next.pipelineId, number: next.number }),
      ]),
  };
}

function cursorOf(cursor: string): EscalationCursor {
  const [at = "", escalationId = ""] = readCursor(cursor, 2);
  const openedAt = new Date(at);
  const place = readEscalationId(escalationId);
  if (place === undefined || Number.isNaN(openedAt.getTime()) || holdsNul(escalationId)) throw refuseCursor();
  return { openedAt, ...place };
}
