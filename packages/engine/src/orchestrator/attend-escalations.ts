import { SignalboxError, type Violation } from "@signalbox/contracts";
import {
  ANSWER_WITHIN_MS,
  decideAssignment,
  escalationAssigned,
  escalationAssignedEvent,
  escalationCommented,
  escalationCommentedEvent,
  readEscalation,
  readEscalationId,
  redactRationale,
} from "@signalbox/core";
import {
  assignEscalation as assignRow,
  countOpenEscalations,
  findMember,
  findMemberNames,
  findPipeline,
  insertComment,
  lastCommentOrdinal,
  lockEscalation,
  type StoredComment,
  type StoredEscalation,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { auditContextOf } from "../documents/in-turn.ts";
import { redactorInForce } from "../documents/redactor-in-force.ts";
import type { Engine } from "../engine.ts";
import { plainForm, silentForm } from "../once/kept-form.ts";
import { transactOnce } from "../once/transact-once.ts";
import { record } from "../record.ts";
import { holdsNul } from "../storable.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { unknownEscalation } from "./read-escalations.ts";

const LONGEST_COMMENT = 4_096;
const MOST_COMMENTS = 200;
/** What a badge counts: beyond it "a hundred" says enough, and counting further would cost what waits. */
const MOST_COUNTED = 100;

/** The question, locked: of two who change it at once the second sees what the first left. */
async function lock(tx: TenantTransaction, escalationId: string): Promise<StoredEscalation> {
  const place = readEscalationId(escalationId);
  const found = place === undefined || holdsNul(escalationId) ? undefined : await lockEscalation(tx, place);
  if (found === undefined) throw unknownEscalation(escalationId);
  return found;
}

async function questionOf(
  tx: TenantTransaction,
  { pipelineId, stageId, escalation }: Pick<StoredEscalation, "pipelineId" | "stageId" | "escalation">,
) {
  const { escalationId, problem } = readEscalation(JSON.parse(escalation));
  const pipeline = await findPipeline(tx, pipelineId);
  if (pipeline === undefined) throw new Error(`escalation ${escalationId} is of no pipeline`);
  return { escalationId, pipelineId, traceId: pipeline.traceId, stageId, problem };
}

export type Assignment = {
  /** A member; `null` lets it go. */
  readonly assigneeId: string | null;
  /** Whom the caller saw attend to it: where it is somebody else by now, nothing changes (ESC-11). */
  readonly instead?: string | null | undefined;
};

/** Takes a question, hands it on, or lets it go. It binds nobody: whoever may answer it still may. */
export async function assignEscalation(
  engine: Engine,
  asked: Asked,
  escalationId: string,
  { assigneeId, instead }: Assignment,
): Promise<void> {
  authorise(asked.caller, "escalation.assign", undefined);
  await transactOnce(engine, asked, silentForm, async (tx) => {
    const found = await lock(tx, escalationId);
    const assignee = assigneeId === null ? undefined : await memberOf(tx, assigneeId);
    const decision = decideAssignment(
      { open: found.closedAt === null, assigneeId: found.assigneeId },
      { assignee, instead: instead === undefined ? undefined : { assigneeId: instead } },
    );
    if (decision.kind === "refused") throw await refusalOf(tx, decision, assigneeId);
    if (decision.kind === "unchanged") return;
    const question = await questionOf(tx, found);
    await assignRow(tx, { pipelineId: found.pipelineId, number: found.number, assigneeId });
    await record(
      tx,
      escalationAssigned(auditContextOf(asked), question, { from: found.assigneeId, to: assigneeId }),
    );
    await tell(tx, escalationAssignedEvent(question, { assigneeId, by: asked.caller.actor }));
  });
}

async function memberOf(tx: TenantTransaction, memberId: string) {
  const member = holdsNul(memberId) ? undefined : await findMember(tx, memberId);
  if (member !== undefined) return member;
  throw invalid("The escalation cannot be assigned so.", {
    field: "assignee",
    rule: "member",
    message: `there is no member "${memberId.slice(0, 100)}"`,
  });
}

/** The id alone where nobody has a name for it. */
async function nameOf(tx: TenantTransaction, memberId: string): Promise<string> {
  const [found] = await findMemberNames(tx, [memberId]);
  return found === undefined || found.name === "" ? memberId : found.name;
}

const invalid = (detail: string, violation: Violation) =>
  new SignalboxError("VALIDATION_FAILED", detail, { violations: [violation] });

async function refusalOf(
  tx: TenantTransaction,
  decision: Extract<ReturnType<typeof decideAssignment>, { kind: "refused" }>,
  assigneeId: string | null,
): Promise<SignalboxError> {
  switch (decision.why) {
    case "closed":
      return new SignalboxError(
        "ALREADY_RESOLVED",
        "The escalation is closed; nobody attends to it any more.",
      );
    case "may-not-answer":
      return invalid("The escalation cannot be assigned so.", {
        field: "assignee",
        rule: "may_answer",
        message: `is "${assigneeId}", whose role may not answer escalations`,
      });
    case "other-assignee":
      return new SignalboxError(
        "INVALID_STATE",
        decision.assigneeId === null
          ? "Nobody attends to the escalation any more."
          : `${await nameOf(tx, decision.assigneeId)} attends to the escalation by now.`,
      );
  }
}

/** Adds to what people say to each other about a question, open or closed. It changes nothing of it. */
export async function commentOnEscalation(
  engine: Engine,
  asked: Asked,
  escalationId: string,
  comment: string,
): Promise<StoredComment> {
  authorise(asked.caller, "escalation.comment", undefined);
  refuseUnkeepable(comment);
  const { actor } = asked.caller;
  return transactOnce(engine, asked, commentForm, async (tx) => {
    const found = await lock(tx, escalationId);
    const { pipelineId, number } = found;
    const question = await questionOf(tx, found);
    const ordinal = (await lastCommentOrdinal(tx, { pipelineId, number })) + 1;
    if (ordinal > MOST_COMMENTS)
      throw new SignalboxError("INVALID_STATE", `An escalation takes at most ${MOST_COMMENTS} comments.`);
    const text = redactRationale(await redactorInForce(engine, tx), comment.trim());
    const kept = await insertComment(tx, { pipelineId, number, ordinal, authorId: actor.id, text });
    await record(tx, escalationCommented(auditContextOf(asked), question, text));
    await tell(tx, escalationCommentedEvent(question, { number: ordinal, by: actor }));
    return kept;
  });
}

const commentForm = {
  ...plainForm<StoredComment>(),
  read(text: string): StoredComment {
    const kept: StoredComment & { createdAt: string } = JSON.parse(text);
    return { ...kept, createdAt: new Date(kept.createdAt) };
  },
};

const refuse = (rule: string, message: string) =>
  invalid("The comment cannot be kept.", { field: "comment", rule, message });

function refuseUnkeepable(comment: string): void {
  if (comment.trim() === "") throw refuse("required", "says nothing");
  if (comment.length > LONGEST_COMMENT)
    throw refuse("max_len", `has ${comment.length} characters; at most ${LONGEST_COMMENT} are allowed`);
  if (holdsNul(comment)) throw refuse("no_nul", "must not contain the character U+0000");
  if (!comment.isWellFormed()) throw refuse("well_formed", "must not contain half of a surrogate pair");
}

export type WaitingEscalations = {
  /** Each counted up to `most`. */
  readonly open: number;
  readonly late: number;
  /** Those that the caller attends to. */
  readonly own: number;
  readonly most: number;
};

/** What a badge says. */
export async function countEscalations(system: System, { caller }: Asked): Promise<WaitingEscalations> {
  authorise(caller, "escalation.read", undefined);
  const counts = await transact(system, caller.tenantId, (tx) =>
    countOpenEscalations(tx, { most: MOST_COUNTED, lateMs: ANSWER_WITHIN_MS, memberId: caller.actor.id }),
  );
  return { ...counts, most: MOST_COUNTED };
}
