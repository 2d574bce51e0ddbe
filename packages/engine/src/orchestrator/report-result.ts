import {
  AgentResultSchema,
  type AgentResult,
  checkMessage,
  SignalboxError,
  StageStatus,
  type Violation,
} from "@signalbox/contracts";
import { withPlainStatus } from "@signalbox/contracts/sacp";
import {
  decide,
  type DispatchPlace,
  isLimited,
  readDispatchId,
  type ReportJudgement,
  resultSpans,
  type StageState,
} from "@signalbox/core";
import { findResults } from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { isCounting, keyNoLongerCounts } from "../identity/confirm-keys.ts";
import type { Asked } from "../system.ts";
import { transact } from "../transaction.ts";
import { authoriseForDispatch, findPackOf } from "./dispatched-packs.ts";
import type { HeldPipeline } from "./draft.ts";
import { examineReport, type Examined, maskReport, type Report } from "./examine-report.ts";
import { refused, type Step } from "./step.ts";
import { done, refuse, type Surroundings, type Change, type Outcome } from "./work.ts";

export type ReportedResult = { readonly receivedAt: Date };

/**
 * A2A 3.2, step 7: an agent reports. Of all that ever come for a dispatch one counts (D6); the same one again is answered
 * as the first time, any other is told that it is too late.
 */
export async function reportResult(
  engine: Engine,
  asked: Asked,
  dispatchId: string,
  reported: AgentResult,
): Promise<ReportedResult> {
  const { caller } = asked;
  const result = withPlainStatus(reported);
  const place = readDispatchId(dispatchId);
  await authoriseForDispatch(engine, caller, "dispatch.report", place);
  if (place === undefined) throw unknownDispatch(dispatchId);
  const violations = violationsOf(result);
  const key = { tenantId: caller.tenantId, pipelineId: place.pipelineId };
  const { schemaVersion } = engine;
  const attempt = { ...key, stageOrder: place.stageOrder, attemptNumber: place.attemptNumber };
  const report: Report = { by: caller.actor, dispatchId, place, result, violations, schemaVersion };
  let examined: Examined | undefined;

  /** Asked for the standing first and for the decision then; between the two the pipeline seldom changes. */
  const examine = (
    pipeline: HeldPipeline,
    { redactor, snapshot, reportedOn }: Pick<Surroundings, "redactor" | "snapshot" | "reportedOn">,
  ): Examined => {
    const { policy } = snapshot;
    const told = reportedOn(attempt);
    const isSame = examined?.state === pipeline.state && examined.told === told;
    if (examined !== undefined && isSame && examined.redactor === redactor && examined.policy === policy) {
      return examined;
    }
    const masked = examined?.redactor === redactor ? examined : maskReport(redactor, result);
    examined = examineReport(pipeline, masked, { snapshot, told }, report);
    return examined;
  };

  let counts = asked.unconfirmedKey === undefined;
  let sent = false;
  const change: Change<ReportedResult | "over"> = {
    kind: "change",
    way: "command",
    key,
    ...(asked.unconfirmedKey !== undefined && {
      prepare: async (tx) => {
        counts = await isCounting(tx, asked.unconfirmedKey);
      },
    }),
    judges: ({ task }) => (isLimited(task.submission.safety) ? attempt : undefined),
    concerns(pipeline, around) {
      if (!counts) return undefined;
      const { dispatch, judged } = examine(pipeline, around);
      if (dispatch === undefined || judged === undefined) return undefined;
      const { packId, instanceId } = dispatch;
      if (judged.kind === "invalid")
        return { packId, instanceId, event: { kind: "invalid-result", error: judged.error } };
      // QUAR-6: what does not count ends no probation.
      const ends =
        judged.kind === "accepted" &&
        around.onProbation(dispatch) &&
        decide(pipeline.state, judged.event, around.now).kind !== "refused";
      return ends ? { packId, instanceId, event: { kind: "valid-result" } } : undefined;
    },
    decide(step) {
      if (!counts) return refuse(keyNoLongerCounts());
      if (!sent && !wasSent(step.draft.state.stages[place.stageOrder], place))
        return refuse(unknownDispatch(dispatchId));
      const { redactor, registry, reportedOn } = step;
      const found = examine(step.draft, { redactor, snapshot: registry.snapshot(), reportedOn });
      return decideReport(step, report, found);
    },
  };
  let outcome: ReportedResult | "over";
  try {
    outcome = await engine.committer.commit(change);
  } catch (error) {
    if (!isUnknown(error)) throw error;
    sent = (await findPackOf(engine, key.tenantId, place)) !== undefined;
    if (!sent) throw unknownDispatch(dispatchId);
    outcome = await engine.committer.commit(change);
  }
  if (outcome !== "over") return outcome;
  return answerAgain(engine, key.tenantId, place, dispatchId, examined);
}

/**
 * Whether the state shows that such a dispatch was sent. What is reported on one that was not must not be kept: its place on
 * file is that of the result which comes once it is. Of a stage that a rewind set back to PENDING it cannot tell: the file of
 * dispatches can.
 */
function wasSent(stage: StageState | undefined, { attemptNumber }: DispatchPlace): boolean {
  if (stage === undefined || attemptNumber > stage.attemptNumber) return false;
  const waits = stage.status === StageStatus.PENDING || stage.status === StageStatus.READY;
  return attemptNumber < stage.attemptNumber || !waits;
}

function decideReport(
  step: Step,
  { by, place, dispatchId, schemaVersion }: Report,
  { result, text, digest, dispatch, judged }: Examined,
): Outcome<ReportedResult | "over"> {
  const { stageOrder, attemptNumber } = place;
  const stageId = step.draft.state.plan.stages[stageOrder]?.stageId ?? "";
  const receivedAt = step.began;
  const kept = { stageOrder, attemptNumber, digest, result: text };
  if (dispatch === undefined || judged === undefined || judged.kind === "stale") {
    // The machine says which of "already reported" and "too late" it is, and puts the latter on record.
    const refusal = step.decide({
      kind: "result-accepted",
      by,
      stageId,
      dispatchId,
      attemptNumber: judged?.kind === "stale" ? result.attemptNumber : attemptNumber,
      result,
      schemaVersionExpected: schemaVersion,
      judgement: null,
    });
    if (refusal === undefined) throw new Error(`a report on ${dispatchId} was let through unjudged`);
    if (judged === undefined && refusal.reason === "stale-dispatch")
      step.keepResult({ ...kept, standing: "stale", spans: [] });
    return done("over");
  }
  const { sentAt } = dispatch;
  const spans = resultSpans({
    result,
    check: judged.check,
    gate: judged.kind === "accepted" ? judged.gate : null,
    sentAt,
    receivedAt,
  });
  if (judged.kind === "invalid") {
    const { standing } = step.standing();
    const refusal = step.decide({
      kind: "result-invalid",
      by,
      stageId,
      dispatchId,
      attemptNumber,
      error: judged.error,
      schemaVersionReceived: result.protocolVersion?.schemaVersion ?? "",
      schemaVersionExpected: schemaVersion,
      consecutiveInvalid: standing.consecutiveInvalid,
      quarantined: standing.quarantinedAt !== null,
    });
    if (refusal !== undefined) throw refused(refusal);
    step.keepResult({ ...kept, standing: "invalid", spans });
    return refuse(invalid(judged));
  }
  const refusal = step.decide(judged.event);
  if (refusal !== undefined) return refuse(refused(refusal));
  step.keepResult({ ...kept, standing: "counted", spans });
  return done({ receivedAt: new Date(receivedAt) });
}

/** What the contract's own rules find: told to the agent, and counted against its instance (D7). */
function violationsOf(result: AgentResult): readonly Violation[] {
  try {
    checkMessage(AgentResultSchema, result);
    return [];
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "VALIDATION_FAILED") return error.violations;
    throw error;
  }
}

/** D6: the same result again is answered as the first time; another one, or one that came too late, is told so. */
async function answerAgain(
  engine: Engine,
  tenantId: string,
  place: DispatchPlace,
  dispatchId: string,
  examined: Examined | undefined,
): Promise<ReportedResult> {
  const [found] = await transact(engine, tenantId, (tx) => findResults(tx, [{ tenantId, ...place }]));
  const same =
    found !== undefined && examined !== undefined && Buffer.compare(found.digest, examined.digest) === 0;
  if (same && found.standing === "counted") return { receivedAt: new Date(found.receivedAt) };
  if (same && found.standing === "invalid") throw invalidBefore(new Date(found.receivedAt));
  throw new SignalboxError(
    "STALE_DISPATCH",
    `Dispatch ${dispatchId} is over: what is reported on it now is kept on record and changes nothing.`,
  );
}

const unknownDispatch = (dispatchId: string) =>
  new SignalboxError("NOT_FOUND", `There is no dispatch "${dispatchId.slice(0, 100)}".`);

const isUnknown = (error: unknown): boolean => error instanceof SignalboxError && error.code === "NOT_FOUND";

const invalid = ({ faults }: ReportJudgement & { kind: "invalid" }) =>
  new SignalboxError("VALIDATION_FAILED", `${faults.map(({ message }) => message).join("; ")}. ${OVER}`, {
    violations: faults.map(({ reason, message, found = { field: fieldOf(reason), rule: reason } }) => {
      const named = `${found.field}: `;
      return { ...found, message: message.startsWith(named) ? message.slice(named.length) : message };
    }),
  });

/** What was reported is kept on record, so that another report of the same attempt would come too late. */
const OVER = "With this result its attempt is over.";

const invalidBefore = (receivedAt: Date) =>
  new SignalboxError(
    "VALIDATION_FAILED",
    `This result was refused as invalid at ${receivedAt.toISOString()}, and its attempt is over.`,
  );

const fields = {
  schema: "",
  "schema-version": "protocolVersion.schemaVersion",
  trace: "trace.traceId",
  dispatch: "dispatchId",
  "dispatch-missing": "dispatchId",
  attempt: "attemptNumber",
} as const;
const fieldOf = (reason: keyof typeof fields): string => fields[reason];
