import { toJson } from "@bufbuild/protobuf";
import {
  checkMessage,
  ContextOutSchema,
  HandoffDecision,
  type RequestHandoffRequest,
  RequestHandoffRequestSchema,
  SignalboxError,
  type Violation,
} from "@signalbox/contracts";
import {
  dispatchIdOf,
  type DispatchPlace,
  judgeHandoff,
  readDispatchId,
  redactRationale,
  type Reroute,
  type Redactor,
} from "@signalbox/core";
import type { Engine } from "../engine.ts";
import { commitOnce } from "../once/commit-once.ts";
import { plainForm } from "../once/kept-form.ts";
import { refuseHalfPairs } from "../storable.ts";
import type { Asked } from "../system.ts";
import { authoriseForDispatch } from "./dispatched-packs.ts";
import { maskMessage } from "./mask-message.ts";
import { refused, type Step } from "./step.ts";
import { type Change, done, type Outcome, refuse } from "./work.ts";

/** What an agent is told of the handoff that it asked for. */
export type HandoffAnswer = {
  /** Its dispatch, and the revision of the pipeline at which the request stands on record. */
  readonly handoffId: string;
  readonly decision: HandoffDecision;
  readonly reason: string;
};

const LONGEST_REASON = 16_384;
const LONGEST_NAME = 200;

type Wish = Pick<RequestHandoffRequest, "target" | "reason" | "contextOut">;

/**
 * D24: an agent asks that its stage go on with another. The policy that is in force in the transaction says whether it may;
 * asked and answered are on record together, and the agent is told once both are.
 */
export async function requestHandoff(
  engine: Engine,
  asked: Asked,
  dispatchId: string,
  request: RequestHandoffRequest,
): Promise<HandoffAnswer> {
  const { caller } = asked;
  const place = readDispatchId(dispatchId);
  await authoriseForDispatch(engine, caller, "dispatch.report", place);
  checkMessage(RequestHandoffRequestSchema, request);
  refuseUnkeepable(request);
  if (place === undefined) throw unknownDispatch(dispatchId);
  const change: Change<HandoffAnswer> = {
    kind: "change",
    way: "command",
    key: { tenantId: caller.tenantId, pipelineId: place.pipelineId },
    decide: (step) => decideHandoff(step, place, request),
  };
  return commitOnce(engine, asked, plainForm<HandoffAnswer>(), change).catch((error: unknown) => {
    const unknown = error instanceof SignalboxError && error.code === "NOT_FOUND";
    throw unknown ? unknownDispatch(dispatchId) : error;
  });
}

function decideHandoff(step: Step, place: DispatchPlace, request: Wish): Outcome<HandoffAnswer> {
  const { draft, redactor, registry } = step;
  const { stageOrder, attemptNumber } = place;
  const dispatchId = dispatchIdOf(place);
  const plan = draft.state.plan.stages[stageOrder];
  const stage = draft.state.stages[stageOrder];
  if (plan === undefined || stage === undefined || attemptNumber > stage.attemptNumber)
    return refuse(unknownDispatch(dispatchId));
  const to = rerouteOf(request);
  refuseSecrets(redactor, to);
  const handoffId = `${dispatchId}-h${draft.state.revision + 1}`;
  const verdict = judgeHandoff(registry.snapshot().policy, {
    // Of a dispatch that is over the fence says so, whatever the policy does.
    packId: stage.dispatch?.packId ?? "",
    taskType: stage.reroute?.taskType ?? plan.taskType,
    to,
  });
  const before = stage.handoffsUsed;
  const refusal = step.decide({
    kind: "handoff-requested",
    stageId: plan.stageId,
    dispatchId,
    attemptNumber,
    to,
    context: redactRationale(redactor, request.reason),
    contextOut:
      request.contextOut === undefined
        ? null
        : maskMessage(redactor, ContextOutSchema, request.contextOut).message,
    verdict,
  });
  if (refusal !== undefined) return refuse(refused(refusal));
  const after = step.draft.state.stages[stageOrder];
  const approved = after !== undefined && after.handoffsUsed > before;
  const decision = approved ? HandoffDecision.APPROVED : HandoffDecision.REFUSED;
  return done({ handoffId, decision, reason: answerIn(step, dispatchId) ?? verdict.why });
}

/** The machine's own words: it may refuse what the policy allows (HAND-3). */
const answerIn = ({ draft }: Step, dispatchId: string): string | undefined =>
  draft.facts.findLast(
    (fact) =>
      (fact.action === "handoff.approved" || fact.action === "handoff.refused") &&
      fact.dispatchId === dispatchId,
  )?.rationale;

const rerouteOf = ({ target }: Wish): Reroute => ({
  taskType: target.case === "taskType" ? target.value : null,
  packId: target.case === "packId" ? target.value : null,
});

/** Names are kept and shown as they are, so that one which looks like a secret is refused. */
function refuseSecrets(redactor: Redactor, { taskType, packId }: Reroute): void {
  const name = taskType ?? packId ?? "";
  if (redactRationale(redactor, name) === name) return;
  throw invalid([
    {
      field: taskType === null ? "pack_id" : "task_type",
      rule: "no_secret",
      message: "looks like a secret; names are kept and shown as they are",
    },
  ]);
}

function refuseUnkeepable({ target, reason, contextOut }: Wish): void {
  const bounds: [field: string, text: string, most: number][] = [
    [target.case === "taskType" ? "task_type" : "pack_id", target.value ?? "", LONGEST_NAME],
    ["reason", reason, LONGEST_REASON],
  ];
  const violations = bounds
    .filter(([, text, most]) => text.length > most)
    .map(([field, text, most]) => ({
      field,
      rule: "max_len",
      message: `has ${text.length} characters; at most ${most} are allowed`,
    }));
  if (violations.length > 0) throw invalid(violations);
  // Its times are BigInts, which JSON.stringify throws at.
  const told = contextOut === undefined ? null : toJson(ContextOutSchema, contextOut);
  refuseHalfPairs(JSON.stringify([target.value, reason, told]));
}

const invalid = (violations: Violation[]) =>
  new SignalboxError("VALIDATION_FAILED", "The handoff breaks a rule.", { violations });

const unknownDispatch = (dispatchId: string) =>
  new SignalboxError("NOT_FOUND", `There is no dispatch "${dispatchId.slice(0, 100)}".`);
