import { AuditEventType, type AuditEntry } from "@signalbox/contracts";
import { type AuditContext, auditEntry } from "../audit-entries.ts";
import type { FactAction } from "./fact.ts";
import { may } from "../permissions.ts";
import { type Caller, isRole } from "../caller.ts";
import { attendanceText } from "./attendance-text.ts";

/** ESC-10, a2a-design 5.6: a question that is older is late, and whoever reads the inbox sees that first. */
export const ANSWER_WITHIN_MS = 30 * 60 * 1000;

/** What is left of the time to answer; `soon` is its last third. */
export type Timeliness = "in-time" | "soon" | "late";
export const timelinesses = ["in-time", "soon", "late"] as const satisfies readonly Timeliness[];

/** From which age on a question is that, and up to which; ages are in milliseconds. */
export const agesOf: Readonly<Record<Timeliness, { readonly from: number; readonly below: number }>> = {
  "in-time": { from: 0, below: (ANSWER_WITHIN_MS * 2) / 3 },
  soon: { from: (ANSWER_WITHIN_MS * 2) / 3, below: ANSWER_WITHIN_MS },
  late: { from: ANSWER_WITHIN_MS, below: Number.POSITIVE_INFINITY },
};

/** A clock that was set back makes a question new, and never later than it is. */
export function timelinessOf(ageMs: number): Timeliness {
  if (ageMs >= agesOf.late.from) return "late";
  return ageMs >= agesOf.soon.from ? "soon" : "in-time";
}

/** Somebody who might answer, as they are known now; the role is whatever the record holds. */
type Assignee = { readonly memberId: string; readonly role: string };

export type AssignmentWish = {
  /** Undefined: nobody attends to it any more. */
  readonly assignee: Assignee | undefined;
  /** Whom the caller saw attend to it; undefined: whoever does. */
  readonly instead: { readonly assigneeId: string | null } | undefined;
};
export type AssignmentDecision =
  | { readonly kind: "assigned" | "unchanged" }
  | { readonly kind: "refused"; readonly why: "closed" | "may-not-answer" }
  | { readonly kind: "refused"; readonly why: "other-assignee"; readonly assigneeId: string | null };

/**
 * ESC-11: an open question is attended to by one person at most, who may answer it. Of two who take it at once the
 * second is told of the first. It binds nobody: whoever may answer still may, or a question would wait for who is away.
 */
export function decideAssignment(
  question: { readonly open: boolean; readonly assigneeId: string | null },
  { assignee, instead }: AssignmentWish,
): AssignmentDecision {
  const { open, assigneeId } = question;
  if (!open) return { kind: "refused", why: "closed" };
  if (assignee !== undefined && !mayAnswer(assignee)) return { kind: "refused", why: "may-not-answer" };
  if (assigneeId === (assignee?.memberId ?? null)) return { kind: "unchanged" };
  if (instead !== undefined && instead.assigneeId !== assigneeId)
    return { kind: "refused", why: "other-assignee", assigneeId };
  return { kind: "assigned" };
}

/** D15: the one table says who may answer. */
function mayAnswer({ memberId, role }: Assignee): boolean {
  if (!isRole(role)) return false;
  const person: Caller = {
    tenantId: "",
    actor: { type: "human", id: memberId },
    role,
    credential: "session",
  };
  return may(person, "escalation.resolve", undefined).allowed;
}

type Asked = {
  readonly escalationId: string;
  readonly pipelineId: string;
  /** The pipeline's, so that whoever follows it meets what was said about its questions (A2A 5.1). */
  readonly traceId: string;
  readonly stageId: string | null;
  readonly problem: string;
};

const about = ({ escalationId, pipelineId, traceId, stageId, problem }: Asked) => ({
  pipelineId,
  traceId,
  ...(stageId !== null && { stageId }),
  snapshot: { snapshotPayload: { case: "escalation", value: { escalationId, problem } } } as const,
});

/** ESC-12: taking, handing on and letting go are never logged alike. */
export function escalationAssigned(
  context: AuditContext,
  question: Asked,
  { from, to }: { from: string | null; to: string | null },
): AuditEntry {
  const action = to === null ? "released" : to === context.actor.id ? "taken" : "assigned";
  return auditEntry(context, {
    ...about(question),
    eventType: AuditEventType.ESCALATION_ASSIGNED,
    action: `escalation.${action}` satisfies FactAction,
    rationale: attendanceText({ from, to }),
  });
}

/** ESC-12: `text` is masked before it comes here. */
export const escalationCommented = (context: AuditContext, question: Asked, text: string): AuditEntry =>
  auditEntry(context, {
    ...about(question),
    eventType: AuditEventType.ESCALATION_COMMENTED,
    action: "escalation.commented" satisfies FactAction,
    rationale: text,
  });
