import type { JsonObject } from "@bufbuild/protobuf";
import {
  AgentResponseSchema,
  ArtifactSchema,
  Confidence,
  ContextOutSchema,
  Outcome,
  RiskTier,
  StageStatus,
} from "@signalbox/contracts";
import type { PinnedRef } from "../dispatch/freshness.ts";
import type { InstanceRef } from "../dispatch/registry-facts.ts";
import type { Decider } from "../pipeline/fact.ts";
import type {
  CurrentDispatch,
  DispatchWait,
  FailedCheck,
  Feedback,
  Reroute,
  StageCommit,
  StageFailure,
  StageResult,
  StageState,
} from "../pipeline/state.ts";
import { count, enumName, listOf, nullable, type ObjectCodec, quantity, text, word } from "./codec.ts";
import { marked } from "./format.ts";
import { messageCodec } from "./message-json.ts";
import { always, shape, unless } from "./shape.ts";

export const decider: ObjectCodec<Decider> = shape<{ readonly [K in "type" | "id"]: Decider[K] }>({
  type: always(word({ human: true, agent: true, system: true, orchestrator: true })),
  id: always(text),
});

export const instanceRef = shape<InstanceRef>({ packId: always(text), instanceId: always(text) });

const dispatch = shape<CurrentDispatch>({
  dispatchId: always(text),
  attemptNumber: always(count),
  packId: always(text),
  packVersion: always(text),
  instanceId: always(text),
  riskTier: always(enumName<RiskTier>(RiskTier)),
  sentAt: always(quantity),
  dueAt: unless(null, nullable(quantity)),
  reportedAt: unless(null, nullable(quantity)),
});

const wait = shape<DispatchWait>({
  reason: always(word({ busy: true, away: true, behind: true })),
  since: always(quantity),
  until: always(quantity),
});

const contextOut = messageCodec(ContextOutSchema);

const result = shape<StageResult>({
  dispatchId: always(text),
  attemptNumber: always(count),
  packId: always(text),
  acceptedAt: always(quantity),
  outcome: always(enumName<Outcome>(Outcome)),
  confidence: always(enumName<Confidence>(Confidence)),
  summary: unless("", text),
  contextOut: unless(null, nullable(contextOut)),
  artifacts: unless([], listOf(messageCodec(ArtifactSchema))),
  response: unless(null, nullable(messageCodec(AgentResponseSchema))),
});

const feedback = shape<Feedback>({
  kind: always(word({ rejection: true, retry: true, answer: true, handoff: true })),
  fromAttempt: always(count),
  text: unless("", text),
  question: unless(null, nullable(text)),
  failedChecks: unless(
    [],
    listOf(shape<FailedCheck>({ gateName: always(text), evidence: unless("", text) })),
  ),
  by: always(decider),
});

const failure = shape<StageFailure>({
  code: always(text),
  reason: always(text),
  attemptNumber: always(count),
  quarantined: unless(null, nullable(instanceRef)),
});

const reroute = shape<Reroute>({
  taskType: unless(null, nullable(text)),
  packId: unless(null, nullable(text)),
});

export const pinnedRef = shape<PinnedRef>({ uriOrLocator: always(text), digest: unless("", text) });

const commit = shape<StageCommit>({ first: always(text), head: always(text), notedAt: always(quantity) });

const stage = shape<StageState>({
  status: always(enumName<StageStatus>(StageStatus)),
  attemptNumber: unless(0, count),
  retriesUsed: unless(0, count),
  handoffsUsed: unless(0, count),
  sendsLost: unless(0, count),
  dispatch: unless(null, nullable(dispatch)),
  notBefore: unless(null, nullable(quantity)),
  wait: unless(null, nullable(wait)),
  hold: unless(null, nullable(text)),
  result: unless(null, nullable(result)),
  priorContextOut: unless(null, nullable(contextOut)),
  feedback: unless([], listOf(feedback)),
  failure: unless(null, nullable(failure)),
  skipReason: unless(null, nullable(text)),
  commit: unless(null, nullable(commit)),
  edgesTaken: unless(null, nullable(listOf(text))),
  doubtedAttempt: unless(0, count),
  reroute: unless(null, nullable(reroute)),
  acceptedRefs: unless([], listOf(pinnedRef)),
  lostBy: unless([], listOf(instanceRef)),
});

const stageCodec = marked(stage);
export const stageChange = marked(stage.part);

export const stageStateJson = (state: StageState): JsonObject => stageCodec.write(state);
export const readStageState = (json: unknown): StageState => stageCodec.read(json);
