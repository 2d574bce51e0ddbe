import { SignalboxError } from "@signalbox/contracts";
import {
  agesOf,
  type Escalation,
  type EscalationCause,
  type EscalationEnd,
  escalationIdOf,
  readEscalation,
  readEscalationEnd,
  readEscalationId,
  type Timeliness,
} from "@signalbox/core";
import {
  type EscalationCursor,
  type EscalationOfTask,
  findEscalation,
  listComments,
  listEscalations as listEscalationRows,
  listLikeEscalations,
  searchPipelines,
  type StoredComment,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { cursorsOf, type PageRequest, readLimit, readQuery, refuseCursor } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

const cursors = cursorsOf("escalations");

export type EscalationView = {
  readonly escalation: Escalation;
  readonly pipelineId: string;
  /** What a person knows the task by; empty and null where it named none. */
  readonly sourceTaskId: string | null;
  readonly taskTitle: string | null;
  /** Of its stage; empty where it concerns the pipeline as a whole. */
  readonly taskType: string;
  /** Whose attempt it is about. */
  readonly packId: string | null;
  /** The member who attends to it (ESC-11). */
  readonly assigneeId: string | null;
  readonly assignedAt: Date | null;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
  /** Who chose what, or what made it needless; `null` while it is open. */
  readonly end: EscalationEnd | null;
};

function viewOf({ escalation, closing, ...stored }: EscalationOfTask): EscalationView {
  return {
    pipelineId: stored.pipelineId,
    sourceTaskId: stored.sourceTaskId,
    taskTitle: stored.taskTitle,
    taskType: stored.taskType,
    packId: stored.packId,
    assigneeId: stored.assigneeId,
    assignedAt: stored.assignedAt,
    openedAt: stored.openedAt,
    closedAt: stored.closedAt,
    escalation: readEscalation(JSON.parse(escalation)),
    end: closing === null ? null : readEscalationEnd(JSON.parse(closing)),
  };
}

export const unknownEscalation = (escalationId: string) =>
  new SignalboxError("NOT_FOUND", `There is no escalation "${escalationId.slice(0, 100)}".`);

const MOST_LIKE = 10;

/** A question in full: with what people said of it, and how like ones ended. */
export type EscalationInFull = EscalationView & {
  readonly comments: readonly StoredComment[];
  /** Of the same cause and task type, the latest first. */
  readonly like: readonly EscalationView[];
};

/** Missing and another tenant's are one answer: row security never shows the latter. */
export async function getEscalation(
  system: System,
  { caller }: Asked,
  escalationId: string,
): Promise<EscalationInFull> {
  authorise(caller, "escalation.read", undefined);
  const place = readEscalationId(escalationId);
  if (place === undefined) throw unknownEscalation(escalationId);
  return transact(system, caller.tenantId, async (tx) => {
    const found = await findEscalation(tx, place.pipelineId, place.number);
    if (found === undefined) throw unknownEscalation(escalationId);
    const [comments, like] = await Promise.all([
      listComments(tx, found),
      listLikeEscalations(tx, found, MOST_LIKE),
    ]);
    return { ...viewOf(found), comments, like: like.map(viewOf) };
  });
}

export type EscalationPage = {
  readonly escalations: readonly EscalationView[];
  readonly nextCursor: string | undefined;
};

export type EscalationSearch = {
  readonly open?: boolean | undefined;
  /** A member's id; `null`: nobody's. */
  readonly assigneeId?: string | null | undefined;
  readonly packId?: string | undefined;
  readonly pipelineId?: string | undefined;
  readonly cause?: EscalationCause | undefined;
  /** Of what is open: how its age stands to the time in which it is to be answered (ESC-10). */
  readonly timeliness?: Timeliness | undefined;
  readonly order?: "newest" | "oldest" | undefined;
};

/** Tasks that say what is looked for, and about which somebody is or was asked: beyond it one more word is wanted. */
const MOST_TASKS = 1_000;

/** The newest first, or the oldest. */
export async function listEscalations(
  system: System,
  { caller }: Asked,
  { limit: wanted, cursor, timeliness, query, ...search }: PageRequest & EscalationSearch,
): Promise<EscalationPage> {
  authorise(caller, "escalation.read", undefined);
  const limit = readLimit(wanted);
  const after = cursor === undefined ? undefined : cursorOf(cursor);
  const named = [search.assigneeId, search.packId, search.pipelineId];
  if (named.some((name) => typeof name === "string" && holdsNul(name)))
    return { escalations: [], nextCursor: undefined };
  const agedMs = timeliness && agesOf[timeliness];
  const words = readQuery(query, "q");
  const { escalations, next } = await transact(system, caller.tenantId, async (tx) => {
    const pipelineIds = words === undefined ? undefined : await tasksThatSay(tx, words, search.open);
    return listEscalationRows(tx, { ...search, limit, after, agedMs, pipelineIds });
  });
  return {
    escalations: escalations.map(viewOf),
    nextCursor:
      next &&
      cursors.write([
        next.openedAt.toISOString(),
        escalationIdOf({ pipelineId: next.pipelineId, number: next.number }),
      ]),
  };
}

async function tasksThatSay(
  tx: TenantTransaction,
  words: string,
  open: boolean | undefined,
): Promise<readonly string[]> {
  const asked = open === true ? "open" : "any";
  const found = await searchPipelines(tx, { words, asked, most: MOST_TASKS + 1 });
  if (found.length <= MOST_TASKS) return found;
  const message = `more than ${MOST_TASKS} tasks with questions say this: add a word that fewer of them say`;
  throw new SignalboxError("VALIDATION_FAILED", "The page cannot be given.", {
    violations: [{ field: "q", rule: "narrow", message }],
  });
}

function cursorOf(cursor: string): EscalationCursor {
  const [at = "", escalationId = ""] = cursors.readMoment(cursor, 2);
  const place = readEscalationId(escalationId);
  if (place === undefined) throw refuseCursor();
  return { openedAt: new Date(at), ...place };
}
