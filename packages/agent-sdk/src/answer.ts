import type { JsonObject, MessageInitShape } from "@bufbuild/protobuf";
import {
  type AgentResponseSchema,
  type ArtifactSchema,
  type BlockerSchema,
  Confidence,
  type ContextOutSchema,
  type EvidenceItemSchema,
  type EvidenceSchema,
  EvidenceType,
  Outcome,
  type ResultStatusSchema,
} from "@signalbox/contracts";

/** An AgentResult without what the envelope says already. */
export type Answer = {
  readonly status: MessageInitShape<typeof ResultStatusSchema>;
  readonly evidence: MessageInitShape<typeof EvidenceSchema>;
} & Findings;

type Findings = {
  readonly artifacts?: MessageInitShape<typeof ArtifactSchema>[];
  readonly blockers?: MessageInitShape<typeof BlockerSchema>[];
  readonly contextOut?: MessageInitShape<typeof ContextOutSchema>;
  readonly response?: MessageInitShape<typeof AgentResponseSchema>;
  readonly linesChanged?: number;
};

export type EvidenceItemInit = MessageInitShape<typeof EvidenceItemSchema>;

type Success = Findings & {
  readonly summary: string;
  /** At least one that passed, and one for each command that the contract names. */
  readonly evidence: EvidenceItemInit[];
  readonly confidence?: Confidence;
};

type Failure = Findings & {
  /** A stable key, such as `TEST_SUITE_FAILED`. */
  readonly code: string;
  readonly reason: string;
  /** What was run, or why nothing was. */
  readonly evidence: EvidenceItemInit[] | string;
};

/** It is done, and this is the proof. */
export const succeeded = ({ summary, evidence, confidence, ...rest }: Success): Answer => ({
  ...rest,
  status: { outcome: Outcome.SUCCESS, confidence: confidence ?? Confidence.CONFIDENT, summary },
  evidence: evidenceOf(evidence),
});

/** Some of it is done: a person decides whether that will do. */
export const partlyDone = ({ summary, evidence, confidence, ...rest }: Success): Answer => ({
  ...rest,
  status: { outcome: Outcome.PARTIAL, confidence: confidence ?? Confidence.UNCERTAIN, summary },
  evidence: evidenceOf(evidence),
});

/** Another attempt may succeed. It is told of this one. */
export const failed = (failure: Failure): Answer => failureOf(Outcome.RETRYABLE_FAILURE, failure);

/** No attempt will succeed as things are. */
export const failedForGood = (failure: Failure): Answer => failureOf(Outcome.NON_RETRYABLE_FAILURE, failure);

/** A rule forbids it: a person is asked. */
export const blockedByPolicy = (failure: Failure): Answer => failureOf(Outcome.POLICY_BLOCKED, failure);

/** A person has to say something first. The answer comes with the next attempt, at the cost of none. */
export const needsAnswer = ({ question, data = {} }: { question: string; data?: JsonObject }): Answer => ({
  status: { outcome: Outcome.PARTIAL, confidence: Confidence.BLOCKED, summary: question },
  evidence: evidenceOf("Nothing was done before the question is answered."),
  response: { thought: "", status: "clarification_needed", data, message: question },
});

/** The work of an earlier stage is at fault: it goes back there, with what is to be mended. */
export const sentBack = ({
  stageId,
  blockers = [],
  ...failure
}: Failure & { readonly stageId: string }): Answer =>
  failedForGood({
    ...failure,
    blockers: [...blockers, { description: failure.reason, suggestedResolution: `rewind: ${stageId}` }],
  });

const failureOf = (outcome: Outcome, { code, reason, evidence, ...rest }: Failure): Answer => ({
  ...rest,
  status: {
    outcome,
    confidence: Confidence.CONFIDENT,
    summary: reason,
    failureCode: code,
    failureReason: reason,
  },
  evidence: evidenceOf(evidence),
});

const evidenceOf = (evidence: EvidenceItemInit[] | string): MessageInitShape<typeof EvidenceSchema> => ({
  evidencePayload:
    typeof evidence === "string"
      ? { case: "noneWithReason", value: evidence }
      : { case: "items", value: { items: evidence } },
});

/** The contract's bound on the output of one item (evidence.proto). */
const longestOutput = 65_536;

type Run = {
  readonly type?: EvidenceType;
  readonly command: string;
  readonly output: string;
  readonly exitCode: number | null;
};

/** What a command showed. A long output loses its middle, and says so: beginning and end say most. */
export const evidenceFrom = ({
  type = EvidenceType.TEST,
  command,
  output,
  exitCode,
}: Run): EvidenceItemInit => ({
  type,
  command,
  output: withinLimit(output),
  passed: exitCode === 0,
});

function withinLimit(text: string): string {
  if (text.length <= longestOutput) return text;
  const cut = `\n[${text.length - longestOutput} characters and more are left out here]\n`;
  const half = Math.floor((longestOutput - cut.length - 20) / 2);
  return `${text.slice(0, half).toWellFormed()}${cut}${text.slice(-half).toWellFormed()}`;
}
