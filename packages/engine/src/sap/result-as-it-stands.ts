import type { Result, Task } from "@signalbox/contracts/sap";
import {
  type AuditFact,
  constitutionalEvidence,
  type PipelineState,
  resultOfPipeline,
  type RoutingPolicy,
} from "@signalbox/core";

type Standing = {
  readonly task: Task;
  readonly state: PipelineState;
  /** Of the pipeline, in the order of the record. */
  readonly facts: readonly AuditFact[];
  /** The one that accepted the task (SAP-35). */
  readonly policy: RoutingPolicy;
  readonly at: number;
};

/** The Result of a task that a pipeline works on, whoever is told it: who submitted it, and the file. */
export const resultAsItStands = ({ task, state, facts, policy, at }: Standing): Result =>
  resultOfPipeline({
    task,
    state,
    facts,
    at,
    evidence: (status) =>
      constitutionalEvidence({
        context: task.constitutionalContext,
        rules: policy.sap?.principles ?? [],
        facts,
        state,
        status,
        proofs: [`signalbox:pipeline/${state.plan.pipelineId}`, `signalbox:routing-policy/${policy.version}`],
      }),
  });
