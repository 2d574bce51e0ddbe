import { PipelineStatus, StageStatus } from "@signalbox/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { checkEvent } from "./check-event.ts";
import { stageNamed } from "./ledger.ts";
import { permits } from "./permits.ts";
import { mayAbort, mayPause, mayResolve, mayResume, mayRewind } from "./predicates.ts";
import { refusalCode } from "./refusal.ts";
import { describeRefusal } from "./refusal-text.ts";
import { approver, stage, submitter, verdicts } from "./testing/definitions.ts";
import { anyDefinition, anyEdgedDefinition } from "./testing/any-definition.ts";
import { anyStep } from "./testing/model.ts";
import { Run } from "./testing/run.ts";
import { walk } from "./testing/walk.ts";

test("PERMIT-1 an event that is taken stands in the table for the status it is taken in", () => {
  fc.assert(
    fc.property(
      fc.oneof(anyDefinition, anyEdgedDefinition),
      fc.array(anyStep, { maxLength: 60 }),
      (definition, steps) => {
        walk(definition, steps, ({ before, event, decision }) => {
          const { pipeline, stage: stageStatuses } = permits[event.kind];
          const status = "stageId" in event ? stageNamed(before, event.stageId)?.state.status : undefined;
          const listed =
            pipeline.includes(before.status) &&
            (stageStatuses === null || (status !== undefined && stageStatuses.includes(status)));
          expect(decision.kind === "refused" || listed).toBe(true);
        });
      },
    ),
    { numRuns: 200 },
  );
});

test("PERMIT-1 a status that no pipeline is ever seen in by an event refuses them too", () => {
  const { state } = new Run([stage("a")]);
  const pending = { ...state, status: PipelineStatus.PENDING };
  expect(checkEvent(pending, { kind: "abort", by: approver, note: "" }, 0)).toEqual({
    reason: "pipeline-not-started",
  });
});

test("PERMIT-2 every refusal has its code and its words", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  const refusals = [
    run.refusal({ kind: "resume", by: approver, note: "" }),
    run.refusal({ kind: "rewind", stageId: "b", instructions: "", by: approver }),
    run.refusal(run.sendEvent("b")),
    run.refusal({
      kind: "escalation-resolved",
      escalationId: "x",
      resolution: { option: "skip" },
      by: approver,
      comment: "",
    }),
  ];
  expect(refusals.map(({ reason }) => refusalCode[reason])).toEqual([
    "INVALID_STATE",
    "INVALID_STATE",
    "INVALID_STATE",
    "NOT_FOUND",
  ]);
  expect(refusals.map(describeRefusal)).toEqual([
    "The pipeline is running, and only a paused one can be resumed.",
    'Stage "b" has not been reached: what it depends on is not over.',
    'Stage "b" is pending, which does not allow this.',
    "The pipeline has no escalation x.",
  ]);
  expect(describeRefusal({ reason: "pipeline-finished", status: PipelineStatus.ABORTED })).toContain(
    "is aborted, and",
  );
  expect(
    describeRefusal({ reason: "wrong-stage-status", stageId: "a", status: StageStatus.READY }),
  ).toContain("is ready, which");
});

test("PERMIT-3 a button says what the server will, and why not in words", () => {
  const run = new Run([stage("a")]);
  expect(mayPause(run.state, approver)).toEqual({ allowed: true });
  expect(mayAbort(run.state, approver)).toEqual({ allowed: true });
  expect(mayRewind(run.state, "a", approver)).toEqual({ allowed: true });
  expect(mayResume(run.state, approver)).toEqual({
    allowed: false,
    reason: "pipeline-not-paused",
    message: "The pipeline is running, and only a paused one can be resumed.",
  });
  run.send("a").report("a", { judgement: verdicts.ask });
  const { escalationId, options } = run.question("a");
  for (const option of options) {
    expect(mayResolve(run.state, escalationId, option, approver)).toEqual({ allowed: true });
  }
  expect(mayResolve(run.state, escalationId, "extend", approver)).toMatchObject({
    reason: "option-not-offered",
  });
  expect(mayResolve(run.state, escalationId, "advance", submitter)).toMatchObject({
    allowed: false,
    message: "Nobody approves what they submitted: somebody else has to.",
  });
});
