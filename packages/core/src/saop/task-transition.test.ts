import { EventSchema } from "@signalbox/contracts/saop";
import { expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import { taskTransitions } from "./task-transition.ts";

const finished = () =>
  new Run([stage("a"), stage("b", { dependsOn: ["a"] })])
    .finish("a")
    .send("b")
    .report("b", { judgement: verdicts.rejectTo("a") })
    .finish("a", "b");
const recorded = ({ facts }: Run) =>
  facts.map((fact, index) => ({ fact, recordedAt: new Date(index * 1000).toISOString() }));

test("SAOP-30 each transition is an event with its states by name, the database's time and an id of its own", () => {
  const run = finished();
  const transitions = taskTransitions(recorded(run));
  const { pipelineId } = run.state.plan;
  for (const { event } of transitions) expect(EventSchema.parse(event).session_id).toBe(pipelineId);
  const [begun, ready] = transitions;
  expect(begun?.event.payload).toEqual({
    type: "TASK_TRANSITION",
    task_id: pipelineId,
    from_state: "PENDING",
    to_state: "RUNNING",
    timestamp: begun?.recordedAt,
  });
  expect(ready).toMatchObject({
    stageId: "a",
    attemptNumber: 1,
    event: { payload: { task_id: `${pipelineId}/a`, from_state: "PENDING", to_state: "READY" } },
  });
  expect(new Set(transitions.map(({ event }) => event.event_id)).size).toBe(transitions.length);
});

test("SAOP-31 they are the transitions that readers were told of, in the order of decisions, however they are read", () => {
  const run = finished();
  const told = run.effects.flatMap((effect) =>
    effect.kind === "stage-transition" || effect.kind === "pipeline-transition" ? effect : [],
  );
  const transitions = taskTransitions(recorded(run).toReversed());
  expect(transitions.map(({ stageId, attemptNumber }) => [stageId, attemptNumber])).toEqual(
    told.map((one) => (one.kind === "stage-transition" ? [one.stageId, one.attemptNumber] : [null, 0])),
  );
  expect(taskTransitions(recorded(run)).map(({ event }) => event.event_id)).toEqual(
    transitions.map(({ event }) => event.event_id),
  );
  expect(taskTransitions(recorded(run).slice(1))).toEqual([]);
});
