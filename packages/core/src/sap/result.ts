import { ArtifactAction, AuditEventType, StageStatus } from "@signalbox/contracts";
import type {
  ConstitutionalEvidence,
  Result,
  ResultStatus,
  SapErrorCode,
  Task,
} from "@signalbox/contracts/sap";
import { clip } from "../pipeline/context/bounded-text.ts";
import { isHandled, isNotTaken, noWayOn, shutWays } from "../pipeline/edges.ts";
import type { AuditFact } from "../pipeline/fact.ts";
import { allStages, type StageView } from "../pipeline/ledger.ts";
import type { PipelineState, StageState } from "../pipeline/state.ts";
import { compileOutputSchema } from "../sacp/output-schema.ts";
import { asksPeople, isDoneInPart, isLeftOut, isTimedOut, sapStatusOf } from "./status.ts";

type Ids = Pick<Task, "taskId" | "correlationId">;
type Json = Readonly<Record<string, unknown>>;

export const secondsTime = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

const SIGNALBOX = { agentId: "signalbox", agentKind: "system" } as const;
const VERSION_HINT = "sap/2.0";

type Failing = { readonly code: SapErrorCode; readonly message: string };

/** SAP-22: a Result that no pipeline made. */
export const plainResult = (
  { taskId, correlationId }: Ids,
  at: number,
  said: Pick<Result, "status" | "constitutionalEvidence"> & Partial<Result>,
): Result => ({
  protocolVersion: "2.0",
  taskId,
  correlationId,
  reportedAt: secondsTime(at),
  producer: SIGNALBOX,
  meta: { versionHint: VERSION_HINT },
  ...said,
});

export type ResultFacts = {
  readonly task: Task;
  readonly state: PipelineState;
  /** Of the pipeline, in the order of the record. */
  readonly facts: readonly AuditFact[];
  readonly at: number;
  readonly evidence: (status: ResultStatus) => ConstitutionalEvidence;
};

/** SAP-20 to SAP-24: the Result of a task as its pipeline stands. */
export function resultOfPipeline({ task, state, facts, at, evidence }: ResultFacts): Result {
  const reached = sapStatusOf(state);
  const output = outputOf(state, task);
  const unmet =
    reached === "SUCCEEDED" || reached === "PARTIAL" ? unmetContract(task, output, state) : undefined;
  const status = unmet === undefined ? reached : "FAILED";
  const found = evidence(status);
  const constitutionalEvidence = { ...found, cache: { hit: false } };
  const error = unmet ?? errorOf(status, state, found);
  const artifacts = artifactsOf(state);
  const nextActions = nextActionsOf(status, state);
  const shut = waysShut(state);
  return {
    ...plainResult(task, at, { status, constitutionalEvidence }),
    producer: producerOf(state, status),
    ...(output === undefined || status === "FAILED" || status === "CANCELLED" ? {} : { output }),
    ...(artifacts.length === 0 ? {} : { artifacts }),
    metrics: {
      latencyMs: Math.max(0, (state.endedAt ?? at) - state.startedAt),
      attempts: attemptsSent(facts),
      retries: state.retriesUsed,
      rejections: state.rejectionsUsed,
    },
    ...(error === undefined ? {} : { error }),
    ...(nextActions.length === 0 ? {} : { nextActions }),
    meta: {
      versionHint: VERSION_HINT,
      pipelineId: state.plan.pipelineId,
      ...(shut.length === 0 ? {} : { noWayOn: shut }),
    },
  };
}

/** SAP-23: what was done and nothing done rests on: nothing waits for it, no way led to what does, or what does gave nothing. */
function lastStages(state: PipelineState): StageView[] {
  const ends: boolean[] = [];
  // Dependents stand behind what they wait for, so that each is judged before it is asked about.
  for (const { index, plan } of allStages(state).toReversed()) {
    ends[index] = plan.dependents.every((at) => {
      const dependent = state.stages[at];
      if (dependent === undefined) return false;
      return isNotTaken(dependent) || (gaveNothing(dependent) && ends[at] === true);
    });
  }
  return allStages(state).filter(
    ({ index, state: { status } }) => ends[index] === true && status === StageStatus.COMPLETED,
  );
}

const gaveNothing = (stage: StageState): boolean => isLeftOut(stage) || isHandled(stage);

/** SACP-34: where it stopped short of stages that its answers might have led to. */
const waysShut = (state: PipelineState): Json[] =>
  allStages(state).flatMap((stage) => {
    const because = noWayOn(stage);
    return because === null ? [] : [{ stageId: stage.plan.stageId, because }];
  });

/** SAP-38: a stage's number of its attempt also counts those that were refused, or ended before anybody had them. */
const attemptsSent = (facts: readonly AuditFact[]): number =>
  new Set(
    facts.flatMap(({ eventType, dispatchId }) =>
      eventType === AuditEventType.DISPATCH_SENT ? [dispatchId] : [],
    ),
  ).size;

/** SAP-23 */
function outputOf(state: PipelineState, { outputContract }: Task): unknown {
  const outputs = lastStages(state).flatMap(({ plan, state: { result } }): [string, unknown][] => {
    if (result === null) return [];
    const { response, summary } = result;
    const asData = outputContract?.format === undefined || outputContract.format === "json";
    const said = response?.message || summary;
    return [[plan.stageId, asData ? (response?.data ?? said) : said]];
  });
  return outputs.length < 2 ? outputs[0]?.[1] : Object.fromEntries(outputs);
}

function unmetContract({ outputContract }: Task, output: unknown, state: PipelineState): Failing | undefined {
  const schema = outputContract?.schema;
  if (schema === undefined) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it was read from JSON
  const found = compileOutputSchema(schema as Parameters<typeof compileOutputSchema>[0]);
  const fault = found.kind === "compiled" ? found.check(output ?? null) : null;
  if (fault === null) return undefined;
  const why =
    output === undefined
      ? "No stage gave an output"
      : `The output does not meet the output contract: ${fault}`;
  const leftOut = allStages(state).flatMap(({ plan, state: stage }) =>
    isLeftOut(stage) ? [`stage "${plan.stageId}" was left out: ${stage.skipReason}`] : [],
  );
  return { code: "UNPROCESSABLE", message: clip([why, ...leftOut].join("; "), LONGEST_MESSAGE).text };
}

const isDone = ({ state: { status } }: StageView): boolean => status === StageStatus.COMPLETED;

/** SAP-22: who worked last; where there is an outcome, on what became part of it. */
function producerOf(state: PipelineState, status: ResultStatus): Result["producer"] {
  const outcome = status === "SUCCEEDED" || status === "PARTIAL";
  const worked = allStages(state).flatMap((stage) =>
    stage.state.result === null || (outcome && !isDone(stage)) ? [] : [stage.state.result],
  );
  const last = worked.toSorted((one, other) => one.acceptedAt - other.acceptedAt).at(-1);
  return last === undefined ? SIGNALBOX : { agentId: last.packId, agentKind: "agent" };
}

/** SAP-28: of what several stages touched, what the last one did (SUM-1). */
function artifactsOf(state: PipelineState): Json[] {
  const touched = allStages(state).flatMap((stage) =>
    isDone(stage)
      ? (stage.state.result?.artifacts ?? []).map((artifact) => ({ artifact, stageId: stage.plan.stageId }))
      : [],
  );
  const last = new Map(touched.map((one) => [one.artifact.path, one])).values();
  return [...last].flatMap(({ artifact: { path, digest, action }, stageId }) =>
    action === ArtifactAction.DELETED || path === ""
      ? []
      : [{ uri: path, kind: "file", ...(digest && { digest }), stageId }],
  );
}

/** What a stage's own code says in the words of SAP V2.0 §8; any other is the agent's, which may call it anything. */
const codes: ReadonlyMap<string, SapErrorCode> = new Map([
  ["TIMEOUT", "TIMEOUT"],
  ["DEADLINE_EXCEEDED", "TIMEOUT"],
  ["LEASE_LOST", "TIMEOUT"],
  ["RATE_LIMITED", "RATE_LIMIT"],
  ["TRANSPORT_FAILED", "INTERNAL"],
  ["UNNAMED_FAILURE", "INTERNAL"],
  ["SACP_GUARDRAIL", "NON_CONSTITUTIONAL"],
]);

/** SAP-24 (SAP V2.0 §8) */
function errorOf(
  status: ResultStatus,
  state: PipelineState,
  { alignment, violations = [] }: ConstitutionalEvidence,
): Failing | undefined {
  // Of the ten codes the one for a sound task of which no answer came; why, its status says.
  if (status === "CANCELLED") return { code: "UNPROCESSABLE", message: "The pipeline was aborted." };
  if (status !== "FAILED") return undefined;
  if (isTimedOut(state)) return { code: "TIMEOUT", message: lateText(state) };
  // What a handler answered for is no reason of the end.
  const failures = allStages(state).flatMap(({ plan, state: stage }) => {
    const { failure } = stage;
    const tells = failure !== null && failure.code !== "PIPELINE_ENDED" && !isHandled(stage);
    return tells ? [{ stageId: plan.stageId, ...failure }] : [];
  });
  const [first] = failures;
  const message =
    first === undefined ? "The pipeline failed." : `Stage "${first.stageId}" failed: ${first.reason}`;
  if (alignment === "NON_CONSTITUTIONAL") {
    const named = violations.find(({ severity }) => severity === "high");
    return {
      code: "NON_CONSTITUTIONAL",
      message: named?.evidence === undefined ? message : `${message} (${named.evidence})`,
    };
  }
  return { code: first === undefined ? "INTERNAL" : (codes.get(first.code) ?? "UNPROCESSABLE"), message };
}

/** SAP-26: what it had come to when its time was over. */
function lateText(state: PipelineState): string {
  const deadline = secondsTime(state.clock.endsAt ?? state.startedAt);
  const open = allStages(state).filter(({ state: { status } }) => !settled.has(status));
  const stages = open.map(({ plan, state: { status, failure } }) =>
    failure === null || failure.code === "DEADLINE_EXCEEDED"
      ? `stage "${plan.stageId}" was ${status === StageStatus.FAILED ? "at work" : "not begun"}`
      : `stage "${plan.stageId}" had failed: ${failure.reason}`,
  );
  return clip(
    `The task's deadline, ${deadline}, passed before it was done; ${stages.join("; ")}.`,
    LONGEST_MESSAGE,
  ).text;
}

const LONGEST_MESSAGE = 2_000;
const settled: ReadonlySet<StageStatus> = new Set([StageStatus.COMPLETED, StageStatus.SKIPPED]);

/** SAP-24 (SAP V2.0 §5, §8): where to go from here. */
function nextActionsOf(status: ResultStatus, state: PipelineState): Json[] {
  if (asksPeople(state)) {
    return state.escalations.map(({ escalationId, problem, options, recommended }) => ({
      action: "resolve_escalation",
      escalationId,
      problem,
      options: [...options],
      recommended,
    }));
  }
  if (status !== "PARTIAL" && status !== "SUCCEEDED") return [];
  return allStages(state).flatMap((stage): Json[] => {
    const { stageId, taskType } = stage.plan;
    const again = (why: Json) => [
      { action: "submit_task", target: { capability: taskType }, payload: { stageId, ...why } },
    ];
    if (isDoneInPart(stage.state)) return again({ doneInPart: whatWasDone(stage.state) });
    const leftOut = isLeftOut(stage.state) ? stage.state.skipReason : whyNotReached(state, stage);
    return leftOut === null ? [] : again({ leftOut });
  });
}

/** SAP-29 */
const whatWasDone = ({ result }: StageState): string =>
  clip(
    `the agent said that it was done in part, and a person let it pass: ${result?.response?.message || result?.summary || ""}`,
    LONGEST_MESSAGE,
  ).text;

/** SACP-34: of a stage that an answer might have led to, why none did. */
function whyNotReached(state: PipelineState, { plan: { stageId }, state: stage }: StageView): string | null {
  if (!isNotTaken(stage)) return null;
  const reasons = allStages(state).flatMap((before) =>
    shutWays(before).flatMap(({ to, why }) =>
      to === stageId ? [`no way led on from "${before.plan.stageId}" (${why})`] : [],
    ),
  );
  return reasons.length === 0 ? null : reasons.join("; ");
}
