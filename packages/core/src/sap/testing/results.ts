import { create } from "@bufbuild/protobuf";
import { AgentResponseSchema, Outcome } from "@signalbox/contracts";
import { ResultSchema, type Task } from "@signalbox/contracts/sap";
import { expect } from "vitest";
import type { PrincipleRule } from "../../documents/sap-section.ts";
import type { Run } from "../../pipeline/testing/run.ts";
import { constitutionalEvidence } from "../evidence.ts";
import { resultOfPipeline } from "../result.ts";
import { principleRule, sapTask } from "./task.ts";

/** What a template says of a handler "h". */
export const onFailure = { h: 'response.status == "failure"' };

export const answered = (data: object, message = "done") => ({
  init: { response: create(AgentResponseSchema, { status: "success", data: { ...data }, message }) },
});

/** The Result of a task as its pipeline stands; it is one by the schema, whatever a test is about (SAP-22). */
export function resultOf(
  run: Run,
  task: Task = sapTask(),
  rules: readonly PrincipleRule[] = [principleRule("blueprint")],
) {
  const result = resultOfPipeline({
    task,
    state: run.state,
    facts: run.facts,
    at: 1_790_000_000_000,
    evidence: (status) =>
      constitutionalEvidence({
        context: task.constitutionalContext,
        rules,
        facts: run.facts,
        state: run.state,
        status,
        proofs: ["signalbox:pipeline/pl-1"],
      }),
  });
  expect(ResultSchema.parse(result)).toEqual(result);
  return result;
}

export const answerFailed = (run: Run, failureCode: string) => {
  const event = run.send("a").reportEvent("a", { outcome: Outcome.NON_RETRYABLE_FAILURE, judgement: null });
  const status = Object.assign(event.result.status ?? {}, { failureCode }) as NonNullable<
    typeof event.result.status
  >;
  const guarding = { name: "no-promises", effect: "fail" } as const;
  return run.apply({
    ...event,
    result: { ...event.result, status },
    ...(failureCode === "SACP_GUARDRAIL" && { guardrails: [guarding] }),
  });
};
