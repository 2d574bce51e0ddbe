/** An envelope's JSON, as far as a scripted agent reads it. */
export type EnvelopeJson = {
  readonly protocolVersion: object;
  readonly trace: object;
  readonly contract: { readonly title: string };
  readonly execution: {
    readonly idempotencyKey: string;
    readonly dispatchId: string;
    readonly attemptNumber: number;
  };
};

/** What an agent does with one envelope. It imports nothing, so that a program can be made of it that starts fast. */
export type Work = {
  /** When it says something. */
  readonly afterMs: number;
  /**
   * `answer`: its result; `answer-twice`: the same again; `answer-when-told`: when it is told to stop, and so too late;
   * `die`: it is gone in the middle; `wait`: it works until it is told to stop.
   */
  readonly ending: "answer" | "answer-twice" | "answer-when-told" | "die" | "wait";
  readonly result: object;
};

const success = { outcome: "OUTCOME_SUCCESS", confidence: "CONFIDENCE_CONFIDENT", summary: "done" };
const retryable = {
  outcome: "OUTCOME_RETRYABLE_FAILURE",
  confidence: "CONFIDENCE_BLOCKED",
  summary: "not this time",
  failureCode: "FLAKY",
  failureReason: "the network was away",
};
const proof = { type: "EVIDENCE_TYPE_TEST", command: "true", passed: true, output: "ok" };

/** Each scenario is a task's title; what is scripted is the first attempt of its first stage; others succeed. */
export function workOn({ protocolVersion, trace, contract, execution }: EnvelopeJson): Work {
  const { idempotencyKey, dispatchId, attemptNumber } = execution;
  const result = {
    protocolVersion,
    trace,
    status: success,
    evidence: { items: { items: [proof] } },
    dispatchId,
    attemptNumber,
  };
  const good: Work = { afterMs: 0, ending: "answer", result };
  if (attemptNumber > 1 || !idempotencyKey.endsWith("/a")) return good;
  switch (contract.title) {
    case "retry":
      return { ...good, result: { ...result, status: retryable } };
    case "cancel":
      return { ...good, ending: "wait" };
    case "lost":
      return { ...good, ending: "die" };
    case "slow":
      return { ...good, afterMs: 11_500 };
    case "late":
      return { ...good, ending: "answer-when-told" };
    case "double":
      return { ...good, ending: "answer-twice" };
    case "invalid": {
      const { evidence: _, ...without } = result;
      return { ...good, result: without };
    }
    case "oversize":
      return {
        ...good,
        result: { ...result, status: { ...success, summary: "x ".repeat((1 << 19) + 500) } },
      };
    default:
      return good;
  }
}
