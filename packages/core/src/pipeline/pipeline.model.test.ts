import { PipelineStatus } from "@signalbox/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "./decide.ts";
import type { EscalationOption } from "./escalation.ts";
import type { AuditFact, FactAction } from "./fact.ts";
import { foldPipeline } from "./fold.ts";
import { finished } from "./permits.ts";
import type { PipelineState } from "./state.ts";
import { expectMoment } from "./testing/invariants.ts";
import { anyDefinition, anyEdgedDefinition, spelledOut } from "./testing/any-definition.ts";
import { anyStep, eventFor, type Step } from "./testing/model.ts";
import { walk } from "./testing/walk.ts";

const runs = { numRuns: 200 };
/** Enough on a machine that does other work meanwhile; nothing is measured. */
const patience = 60_000;
const anyTemplate = fc.oneof(anyDefinition, anyEdgedDefinition);
const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 60, size: "max" });

test(
  "PIPE-1 PIPE-2 PIPE-3 PIPE-4 PIPE-5 STAGE-1 STAGE-2 STAGE-3 FENCE-4 FOLD-3 PERMIT-2 SKIP-1 REWIND-1 REWIND-2 REWIND-7 CARRY-7 ATTEMPT-2 VERDICT-4 CLOCK-3 hold after every event of any run",
  () => {
    fc.assert(
      fc.property(anyTemplate, anySteps, (definition, steps) => {
        walk(definition, steps, expectMoment);
      }),
      { numRuns: 150 },
    );
  },
  patience,
);

test(
  "FOLD-1 FOLD-2 FENCE-1 the record of any run gives its state, shows every hole, and has no attempt twice",
  () => {
    fc.assert(
      fc.property(anyTemplate, anySteps, fc.infiniteStream(fc.nat()), (definition, steps, numbers) => {
        const { facts, state } = walk(definition, steps);
        const whole = { kind: "folded", state };
        expect(foldPipeline(facts)).toStrictEqual(whole);
        expect(foldPipeline(shuffled(facts, numbers))).toStrictEqual(whole);
        expectHolesToShow(facts, numbers.next().value);
        const sent = facts.filter(({ action }) => action === "dispatch.sent");
        const attempts = sent.map(({ stageId, attemptNumber }) => `${stageId} ${attemptNumber}`);
        expect(new Set(attempts).size).toBe(attempts.length);
      }),
      runs,
    );
  },
  patience,
);

function shuffled<T>(values: readonly T[], numbers: fc.Stream<number>): T[] {
  return values
    .map((value) => ({ value, key: numbers.next().value }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ value }) => value);
}

function expectHolesToShow(facts: readonly AuditFact[], pick: number): void {
  const counted = facts.filter(({ revision }) => revision !== null);
  if (counted.length < 3) return;
  const missing = 1 + (pick % (counted.length - 2));
  const holed = counted.filter((_, index) => index !== missing);
  expect(foldPipeline(holed)).toEqual({ kind: "broken", afterRevision: missing, why: "gap" });
}

test(
  "SACP-26 a dependency is an edge for success: the same run comes to the same with each written as one",
  () => {
    fc.assert(
      fc.property(anyDefinition, anySteps, (definition, steps) => {
        const plain = walk(definition, steps);
        const spelled = walk(spelledOut(definition), steps);
        expect(standingOf(spelled.state)).toEqual(standingOf(plain.state));
        expect(spelled.facts.map(({ action }) => action)).toEqual(plain.facts.map(({ action }) => action));
        expect(plain.state.stages.filter(({ edgesTaken }) => edgesTaken !== null)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  },
  patience,
);

const standingOf = (state: PipelineState) => ({
  ...state,
  plan: null,
  escalations: state.escalations.map(({ cause, stageId, options }) => ({ cause, stageId, options })),
  stages: state.stages.map((stage) =>
    Object.assign({}, stage, { edgesTaken: null, failure: stage.failure?.code }),
  ),
});

/** Where each kind of decision is come to; a new one has to say so here before it compiles. */
const everyAction: Record<Exclude<FactAction, `escalation.resolved.${string}`>, "here" | "elsewhere"> = {
  "pipeline.created": "here",
  "pipeline.completed": "here",
  "pipeline.failed": "here",
  "pipeline.failed-on-deadline": "here",
  "pipeline.aborted": "here",
  "pipeline.paused-by-person": "here",
  "pipeline.paused-on-deadline": "here",
  "pipeline.paused-on-people": "here",
  "pipeline.resumed": "here",
  "dispatch.decided": "here",
  "dispatch.deferred": "here",
  "dispatch.refused": "here",
  "dispatch.sent": "here",
  "dispatch.transport-failed": "here",
  "dispatch.timed-out": "here",
  "dispatch.lease-lost": "here",
  "dispatch.agent-failed": "here",
  "dispatch.cancelled": "here",
  "result.received": "here",
  "result.stale": "here",
  "result.validated": "here",
  "result.invalid": "here",
  "gate.passed": "here",
  "gate.passed-by-person": "here",
  "gate.rejected": "here",
  "stage.retried": "here",
  "stage.failed": "here",
  "stage.skipped": "here",
  "stage.rewound-by-person": "here",
  "commit.noted": "here",
  "handoff.requested": "here",
  "handoff.approved": "here",
  "handoff.refused": "here",
  "escalation.opened": "here",
  // What a rule made of an answer is told by the report, and changes nothing of the pipeline.
  "answer.redacted": "elsewhere",
  "answer.failed": "elsewhere",
  // Who attends to a question decides nothing of it (attendance.test.ts).
  "escalation.taken": "elsewhere",
  "escalation.assigned": "elsewhere",
  "escalation.released": "elsewhere",
  "escalation.commented": "elsewhere",
};

const everyOption: Record<EscalationOption, true> = {
  retry: true,
  advance: true,
  rewind: true,
  skip: true,
  answer: true,
  accept: true,
  restore: true,
  extend: true,
  resume: true,
  abort: true,
};
const answers = [...Object.keys(everyOption), "superseded"].map((option) => `escalation.resolved.${option}`);

test(
  "the runs that are looked at take every kind of decision, so that none goes unseen",
  () => {
    const samples = fc.sample(fc.tuple(anyTemplate, anySteps), { numRuns: 300, seed: 7 });
    const seen = new Set(
      samples.flatMap(([definition, steps]) => walk(definition, steps).facts.map(({ action }) => action)),
    );
    const wanted = Object.keys(everyAction).filter((action) => Reflect.get(everyAction, action) === "here");
    expect([...seen].toSorted()).toEqual([...wanted, ...answers].toSorted());
  },
  patience,
);

test(
  "PIPE-7 any run ends when agents answer and people choose what is recommended",
  () => {
    fc.assert(
      fc.property(
        anyTemplate,
        anySteps,
        fc.array(fc.nat({ max: 99 }), { maxLength: 40 }),
        (definition, steps, luck) => {
          const { state } = walk(definition, steps);
          expect(finished).toContain(runToTheEnd(state, luck).status);
        },
      ),
      runs,
    );
  },
  patience,
);

/** From any state on: whatever is ready is sent, whatever is sent ends, and every question is answered. */
function runToTheEnd(from: PipelineState, luck: readonly number[]): PipelineState {
  let state = from;
  let now = 100_000;
  for (let round = 0; round < 2_000 && !finished.includes(state.status); round += 1) {
    now += 100_000;
    const detail = luck[round] ?? 0;
    const step = stepOnward(state, round, detail);
    const decision = decide(state, eventFor(state, step, now, 1_000 + round), now);
    if (decision.kind === "decided") ({ state } = decision);
    else if (state.status === PipelineStatus.RUNNING) {
      const expiry = decide(state, { kind: "deadline-reached" }, now);
      if (expiry.kind === "decided") ({ state } = expiry);
    }
  }
  return state;
}

const kinds = { send: 0, report: 40, resolve: 75, resume: 94 } as const;

function stepOnward({ pause, escalations, stages }: PipelineState, round: number, luck: number): Step {
  const bad = luck > 50 && luck < 90;
  const pick = round;
  const step = (kind: keyof typeof kinds, detail: number): Step => ({
    kind: kinds[kind],
    pick,
    detail,
    wait: bad ? 40 : 0,
  });
  if (pause?.reason === "person") return step("resume", 0);
  if (escalations.length > 0 && (pause !== null || round % 3 === 0)) return step("resolve", luck % 2);
  const atWork = stages.some(({ dispatch }) => dispatch?.reportedAt === null);
  return atWork ? step("report", luck % 90) : step("send", 0);
}
