import {
  HealthStatusSchema,
  PipelineStatusSchema,
  StageStatusSchema,
  type HealthStatus,
} from "@signalbox/contracts";
import type { DescEnum } from "@bufbuild/protobuf";
import type { ConditionName } from "../alerts/conditions.ts";
import type { Actor } from "../caller.ts";
import type { DocumentKind } from "../documents/document-kinds.ts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import type { Effect } from "../pipeline/effect.ts";
import type { Escalation, EscalationEnd } from "../pipeline/escalation.ts";
import type { AuditFact } from "../pipeline/fact.ts";

/** What readers are told, in the transaction in which it happens. */
export type FeedEvent = {
  readonly kind: string;
  readonly pipelineId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
};

type PipelineStep = {
  readonly pipelineId: string;
  readonly traceId: string;
  readonly revision: number;
  readonly transitions: readonly Extract<Effect, { kind: "pipeline-transition" | "stage-transition" }>[];
  readonly opened: readonly Escalation[];
  readonly closed: readonly { readonly escalationId: string; readonly end: EscalationEnd }[];
  readonly facts: readonly Pick<AuditFact, "action">[];
};

/** STREAM-9: none where nobody outside can see that anything happened. */
export function pipelineEvents(step: PipelineStep): FeedEvent[] {
  const { pipelineId, traceId, revision, transitions, opened, closed, facts } = step;
  if (transitions.length + opened.length + closed.length === 0) return [];
  const changed = {
    revision,
    traceId,
    transitions: transitions.map(transitionData),
    opened: opened.map(({ escalationId }) => escalationId),
    closed: closed.map(({ escalationId }) => escalationId),
  };
  const events: FeedEvent[] = [{ kind: "pipeline.changed", pipelineId, data: changed }];
  for (const one of opened) events.push({ kind: "escalation.opened", pipelineId, data: openedData(one) });
  for (const one of closed) events.push({ kind: "escalation.closed", pipelineId, data: closedData(one) });
  for (const { action } of facts) {
    const detail = breached[action];
    if (detail !== undefined) events.push(alertRaisedEvent("deadline-breached", { pipelineId, detail }));
  }
  return events;
}

const nameOf = (desc: DescEnum, number: number): string => desc.value[number]?.name ?? String(number);

const transitionData = (transition: PipelineStep["transitions"][number]) =>
  transition.kind === "pipeline-transition"
    ? {
        from: nameOf(PipelineStatusSchema, transition.from),
        to: nameOf(PipelineStatusSchema, transition.to),
      }
    : {
        stageId: transition.stageId,
        attemptNumber: transition.attemptNumber,
        from: nameOf(StageStatusSchema, transition.from),
        to: nameOf(StageStatusSchema, transition.to),
        ...(transition.gitHash !== null && { gitHash: transition.gitHash }),
      };

const openedData = ({ escalationId, cause, stageId, attemptNumber, options, recommended }: Escalation) => ({
  escalationId,
  cause,
  stageId,
  attemptNumber,
  options,
  recommended,
});

const closedData = ({ escalationId, end }: PipelineStep["closed"][number]) =>
  end.kind === "resolved"
    ? { escalationId, how: end.kind, option: end.resolution.option, by: end.by }
    : { escalationId, how: end.kind, why: end.why };

/** STREAM-11: who attends to a question now; `null` is nobody. */
export const escalationAssignedEvent = (
  { pipelineId, escalationId }: { pipelineId: string; escalationId: string },
  change: { assigneeId: string | null; by: Actor },
): FeedEvent => ({ kind: "escalation.assigned", pipelineId, data: { escalationId, ...change } });

/** STREAM-11: what was said stands in the resource. */
export const escalationCommentedEvent = (
  { pipelineId, escalationId }: { pipelineId: string; escalationId: string },
  comment: { number: number; by: Actor },
): FeedEvent => ({ kind: "escalation.commented", pipelineId, data: { escalationId, ...comment } });

export const packRegisteredEvent = (pack: { packId: string; packVersion: string }): FeedEvent => ({
  kind: "pack.registered",
  pipelineId: null,
  data: { packId: pack.packId, packVersion: pack.packVersion },
});

/** STREAM-16: instances were heard, and nothing is told of them. No transaction writes it. */
export const INSTANCE_HEARD = "instance.heard";

/** What became of an instance: STREAM-10. */
export type InstanceNews =
  | "first-seen"
  /** It reports again after it was lost. */
  | "returned"
  /** Its lease ended. */
  | "lost"
  /** By its own word. */
  | "health-changed"
  | "quarantined"
  | "restored"
  /** A valid result ended its probation: QUAR-6. */
  | "passed"
  /** It is asked to take no more, and may again: INST-6. */
  | "draining"
  | "resumed";

export const instanceEvent = (
  news: InstanceNews,
  { packId, instanceId }: InstanceRef,
  health?: HealthStatus,
): FeedEvent => ({
  kind: `instance.${news}`,
  pipelineId: null,
  data: {
    packId,
    instanceId,
    ...(health === undefined ? {} : { healthStatus: nameOf(HealthStatusSchema, health) }),
  },
});

export type DocumentNews = "drafted" | "edited" | "discarded" | "published" | "retired";

/** STREAM-10: with who did it, so that somebody who writes in the same draft is told by whom. */
export const documentEvent = (
  news: DocumentNews,
  document: { kind: DocumentKind; version: string; edit?: number },
  by: Actor,
): FeedEvent => ({ kind: `document.${news}`, pipelineId: null, data: { ...document, by } });

type AlertName =
  /** D21: what could not be masked was not written. */
  | "redaction-blocked"
  /** a2a-design 5.6. */
  | "agent-quarantined"
  | "deadline-breached"
  /** What began to hold: ALERT-7. */
  | ConditionName;

/** STREAM-12 */
export const alertRaisedEvent = (
  alert: AlertName,
  { pipelineId, detail }: { pipelineId: string | null; detail: string },
): FeedEvent => ({ kind: "alert.raised", pipelineId, data: { alert, detail } });

/** STREAM-12: what was raised, and holds no more (ALERT-7). */
export const alertResolvedEvent = (alert: string, detail: string): FeedEvent => ({
  kind: "alert.resolved",
  pipelineId: null,
  data: { alert, detail },
});

/** What a deadline that passed did, to whom it is told (CLOCK-3, CLOCK-8). */
const breached: Readonly<Partial<Record<AuditFact["action"], string>>> = {
  "pipeline.paused-on-deadline":
    "It waits until somebody gives it more time, goes on without one, or ends it.",
  "pipeline.failed-on-deadline": "The task's own deadline passed, and the pipeline failed with it.",
};

/** STREAM-13: what somebody said, and what it changes, stands in the resource. */
export const learningEvent = (
  news: "rated" | "learnt" | "proposed" | "decided",
  data: { readonly taskId?: string; readonly proposalId?: string; readonly decision?: string } = {},
): FeedEvent => ({ kind: `learning.${news}`, pipelineId: null, data: { ...data } });

/** STREAM-14: whom it is about, and no more. */
export const memberEvent = (
  news: "invited" | "changed" | "removed" | "signed-in" | "signed-out",
  { memberId }: { memberId: string },
): FeedEvent => ({ kind: `member.${news}`, pipelineId: null, data: { memberId } });

const standings = new Set(["member.changed", "member.removed", "member.signed-out"]);

/** STREAM-14: whether somebody who was let in may be so no more, or as another. Who comes or is invited takes nothing from anybody. */
export const mayEndStanding = (kind: string): boolean => standings.has(kind);

/** STREAM-17: that a key was made or revoked, and no more: who may not read keys hears nothing of whose. */
export const keyEvent = (): FeedEvent => ({ kind: "key.changed", pipelineId: null, data: {} });

/** STREAM-15: that something was said of it, and no more: who may not read the record hears nothing of what. */
export const retentionEvent = (): FeedEvent => ({ kind: "retention.changed", pipelineId: null, data: {} });
