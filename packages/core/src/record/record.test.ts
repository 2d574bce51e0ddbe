import { Outcome, StageStatus } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { stage, verdicts } from "../pipeline/testing/definitions.ts";
import { Run } from "../pipeline/testing/run.ts";
import { assembleState, type StoredPipeline } from "./assemble-state.ts";
import { changeJson, readChange } from "./change-codec.ts";
import { auditEntryJson, factOf } from "./entry-json.ts";
import { escalationEndJson, readEscalation, readEscalationEnd } from "./escalation-codec.ts";
import { foldEntries } from "./fold-entries.ts";
import { pipelineStateJson } from "./pipeline-codec.ts";
import { planJson, readPlan } from "./plan-codec.ts";
import { readStageState, stageStateJson } from "./stage-codec.ts";
import { storedOf, throughText } from "./testing/stored.ts";

const context = { tenantId: "tenant", pipelineId: "pl-1", traceId: "trace", schemaVersion: "1.0.0" };
const asking = () =>
  new Run([stage("a"), stage("b", { dependsOn: ["a"] }), stage("c")])
    .finish("a")
    .send("b")
    .report("b", { outcome: Outcome.PARTIAL, judgement: verdicts.ask });
const entriesOf = (run: Run): Record<string, unknown>[] =>
  run.facts.map((fact) => Object(throughText(auditEntryJson(fact, context))));

test("REC-2 a stage that nothing has happened to costs a few bytes", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  expect(stageStateJson(run.stage("b"))).toEqual({ v: 1, status: "PENDING" });
  expect(stageStateJson(run.stage("a"))).toEqual({ v: 1, status: "READY", attemptNumber: 1 });
  expect(pipelineStateJson(run.state)).toEqual({
    v: 1,
    status: "RUNNING",
    revision: 1,
    startedAt: 0,
    clock: { runningSince: 0 },
  });
});

test("REC-2 REC-6 a change says all that it sets, also that something is no more", () => {
  const change = {
    kind: "stage",
    stageId: "a",
    set: { hold: null, feedback: [], attemptNumber: 0 },
  } as const;
  const json = changeJson(change);
  expect(json).toEqual({
    kind: "stage",
    subjectId: "a",
    set: { v: 1, attemptNumber: 0, hold: null, feedback: [] },
  });
  expect(readChange(json)).toStrictEqual(change);
});

test("REC-2 a pause names who asked for it; a row or an entry that says nothing of it, as before, is read as nobody's", () => {
  const { state } = new Run([stage("a")]).pause();
  const json = pipelineStateJson(state);
  expect(json).toMatchObject({ pause: { reason: "person", since: 0, by: { type: "human" } } });
  const pause = { reason: "person", since: 0, note: "Paused by a person" };
  const stored = { ...storedOf(state), state: { ...json, pause } };
  expect(assembleState(stored).pause).toStrictEqual({ ...pause, by: null });
  expect(readChange({ kind: "pipeline", set: { v: 1, pause } })).toStrictEqual({
    kind: "pipeline",
    set: { pause: { ...pause, by: null } },
  });
});

test("REC-2 an end names who ended it; a row or an entry that says nothing of it, as before, is read as nobody's", () => {
  const { state } = new Run([stage("a")]).apply({
    kind: "abort",
    by: { type: "human", id: "ada" },
    note: "late",
  });
  const { end, ...before } = Object(pipelineStateJson(state));
  expect(end).toEqual({ by: { type: "human", id: "ada" }, reason: "late" });
  expect(assembleState(storedOf(state)).end).toStrictEqual(state.end);
  const stored = assembleState({ ...storedOf(state), state: before });
  expect(stored).toStrictEqual({ ...state, end: null });
  const set = { v: 1, status: "ABORTED", endedAt: 0 };
  expect(readChange({ kind: "pipeline", set })).not.toHaveProperty("set.end");
});

test("REC-3 enums stand by name, and a name that is not known is refused with those that are", () => {
  expect(stageStateJson(asking().stage("b"))).toMatchObject({
    status: "DISPATCHED",
    dispatch: { riskTier: "LOW" },
    result: { outcome: "PARTIAL" },
  });
  expect(() => readStageState({ v: 1, status: "toString" })).toThrow(
    'status: wants one of UNSPECIFIED, PENDING, READY, DISPATCHED, COMPLETED, FAILED, SKIPPED, REJECTED, has "toString"',
  );
  expect(() => readStageState({ v: 1, status: StageStatus.READY })).toThrow(/^status: wants one of/);
});

test("REC-4 another format, or none, is refused", () => {
  const json = stageStateJson(asking().stage("b"));
  expect(() => readStageState({ ...json, v: 2 })).toThrow(
    "v: wants format 1, has 2: another version wrote it",
  );
  expect(() => readStageState({ status: "PENDING" })).toThrow("v: wants format 1, has nothing");
});

const refusing = (change: (stored: StoredPipeline) => Partial<StoredPipeline>) => {
  const stored = storedOf(asking().state);
  return () => assembleState({ ...stored, ...change(stored) });
};

describe("REC-7 a state that is not whole is refused", () => {
  test("by a stage that is missing, doubled or of no place", () => {
    expect(refusing(({ stages }) => ({ stages: stages.slice(1) }))).toThrow(
      "stages: are 2 (2 different); the plan has 3",
    );
    expect(refusing(({ stages }) => ({ stages: [...stages.slice(1), ...stages.slice(1, 2)] }))).toThrow(
      "stages: are 3 (2 different); the plan has 3",
    );
    expect(
      refusing(({ stages }) => ({
        stages: stages.map((row) => (row.stageOrder === 0 ? { ...row, stageOrder: 7 } : row)),
      })),
    ).toThrow("stages[0]: is missing");
  });

  test("by a revision that is not the state's", () => {
    expect(refusing(({ revision }) => ({ revision: revision + 1 }))).toThrow(
      /^revision: is \d+, and the state's is \d+$/,
    );
  });

  test("by a question that is missing, foreign, doubled or about nobody who waits", () => {
    const hold = "waits for pl-1-e1, which is not open about it";
    expect(refusing(() => ({ escalations: [] }))).toThrow(hold);
    expect(refusing(({ escalations }) => ({ escalations: [...escalations, ...escalations] }))).toThrow(
      "escalations: name one twice",
    );
    const refusingQuestion = (set: object) =>
      refusing(({ escalations: [one] }) => ({ escalations: [{ ...Object(one), ...set }] }));
    expect(refusingQuestion({ stageId: "a" })).toThrow(hold);
    expect(refusingQuestion({ escalationId: "pl-1-e2" })).toThrow(
      "escalations[0]: pl-1-e2 is none of the 1 that were opened",
    );
    expect(refusingQuestion({ escalationId: "first" })).toThrow("escalations[0]: first is none of the 1");
    expect(
      refusing(({ stages }) => ({
        stages: stages.map(({ stageOrder, state }) => {
          const { hold: _, ...free } = Object(state);
          return { stageOrder, state: free };
        }),
      })),
    ).toThrow("escalations: 1 are about stages, and 0 stages wait");
  });

  test("by a field that is missing, unknown or of another kind, wherever it stands", () => {
    const refusingStage = (set: object) =>
      refusing(({ stages }) => ({
        stages: stages.map((row) =>
          row.stageOrder === 1 ? { ...row, state: { ...Object(row.state), ...set } } : row,
        ),
      }));
    expect(refusingStage({ holds: "x" })).toThrow("stages[1].holds: is not known");
    expect(refusingStage({ attemptNumber: "1" })).toThrow(
      'stages[1].attemptNumber: wants a whole number of at least 0, has "1"',
    );
    expect(refusingStage({ attemptNumber: -1 })).toThrow(
      "stages[1].attemptNumber: wants a whole number of at least 0, has -1",
    );
    expect(refusingStage({ dispatch: { dispatchId: "d" } })).toThrow(
      "stages[1].dispatch.attemptNumber: is missing",
    );
    expect(refusingStage({ feedback: [{ kind: "shout" }] })).toThrow(
      'stages[1].feedback[0].kind: wants one of rejection, retry, answer, handoff, has "shout"',
    );
    expect(refusingStage({ result: [] })).toThrow("stages[1].result: wants an object, has []");
    expect(refusingStage({ feedback: {} })).toThrow("stages[1].feedback: wants a list, has {}");
    expect(refusingStage({ priorContextOut: { risks: [] } })).toThrow(
      /^stages\[1\]\.priorContextOut: .*risks/,
    );
    expect(refusing(() => ({ plan: null }))).toThrow("plan: wants an object, has null");
    expect(refusing(() => ({ state: "x".repeat(99) }))).toThrow(
      `state: wants an object, has "${"x".repeat(39)}…`,
    );
  });
});

test("REC-7 a plan is written by its own stages, however often others were written before", () => {
  const { plan } = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]).state;
  const first = JSON.stringify(planJson(plan));
  expect(JSON.stringify(planJson({ ...plan, pipelineId: "another" }))).toBe(
    first.replace(plan.pipelineId, "another"),
  );
  const changed = { ...plan, stages: plan.stages.map((one) => ({ ...one, required: !one.required })) };
  expect(readPlan(throughText(planJson(changed)))).toEqual(changed);
  expect(JSON.stringify(planJson(plan))).toBe(first);
});

test("REC-7 a plan whose stages wait for later ones is refused", () => {
  const plan = Object(throughText(planJson(asking().state.plan)));
  plan.stages[0].dependsOn = [1];
  expect(() => readPlan(plan)).toThrow("stages[0]: depends on stage 1, which does not come before it");
  plan.stages[0].dependsOn = undefined;
  plan.stages[0].required = "yes";
  expect(() => readPlan(plan)).toThrow(/^stages\[0\]\./);
});

test.each([
  { option: "retry", instructions: "again" },
  { option: "rewind", stageId: "a", instructions: "" },
  { option: "answer", answer: "the first" },
  { option: "extend", byMs: 1_000 },
  { option: "advance" },
  { option: "skip" },
  { option: "accept" },
  { option: "restore" },
  { option: "resume" },
  { option: "abort" },
] as const)("REC-6 an answer is read back as it was: $option", (resolution) => {
  const end = { kind: "resolved", resolution, by: { type: "human", id: "x" }, comment: "" } as const;
  expect(readEscalationEnd(throughText(escalationEndJson(end)))).toStrictEqual(end);
});

test("REC-6 a question that was superseded, or that says less than it should", () => {
  const end = { kind: "superseded", why: "rewound" } as const;
  expect(readEscalationEnd(throughText(escalationEndJson(end)))).toStrictEqual(end);
  expect(() => readEscalationEnd({ v: 1, kind: "forgotten" })).toThrow(
    'kind: wants one of superseded, has "forgotten"',
  );
  expect(() => readEscalation({ v: 1, escalationId: "pl-1-e1" })).toThrow("cause: is missing");
});

describe("REC-8 an entry that does not have the shape is refused with its place", () => {
  test.each([
    [{ eventType: "AUDIT_EVENT_TYPE_LATER" }, 'eventType: no event type is called "AUDIT_EVENT_TYPE_LATER"'],
    [{ eventType: 1 }, "eventType: no event type is called 1"],
    [{ action: "registered pack a 1.0.0" }, "action: no pipeline's fact is called"],
    [{ actor: { type: "ACTOR_TYPE_UNSPECIFIED" } }, 'actor.type: nobody decides as "ACTOR_TYPE_UNSPECIFIED"'],
    [{ actor: { type: "ACTOR_TYPE_HUMAN", id: 7 } }, "actor.id: wants a text, has 7"],
    [{ stageId: 7 }, "stageId: wants a text, has 7"],
    [{ pipelineRevision: -1 }, "pipelineRevision: wants a whole number of at least 0, has -1"],
    [{ snapshot: { agentHealth: {} } }, "snapshot: is of no kind that a pipeline's fact has"],
    [{ snapshot: { gate: { checks: 1 } } }, "snapshot: "],
    [{ changes: {} }, "changes: wants a list, has {}"],
    [{ changes: [{ kind: "moved" }] }, 'changes[0].kind: no change is of the kind "moved"'],
    [{ changes: [{ kind: "stage", set: { v: 1 } }] }, "changes[0].subjectId: wants a text, has nothing"],
    [{ changes: [{ kind: "pipeline" }] }, "changes[0].set: wants an object, has nothing"],
  ])("%j", (set, message) => {
    const [entry] = entriesOf(asking());
    expect(() => factOf({ ...entry, ...set })).toThrow(message);
  });

  test("no object at all", () => {
    expect(() => factOf([])).toThrow("wants an object, has []");
  });
});

const folded = (change: (entries: Record<string, unknown>[]) => unknown[]) =>
  foldEntries(change(entriesOf(asking())));

const alter = (at: number, set: (entry: Record<string, unknown>) => object) =>
  folded((entries) => entries.map((entry, index) => (index === at ? { ...entry, ...set(entry) } : entry)));

describe("REC-9 a record that was tampered with does not fold", () => {
  test("but for that it does", () => {
    expect(folded((entries) => entries)).toStrictEqual({ kind: "folded", state: asking().state });
  });

  test("an entry older than a snapshot's field folds to the same state", () => {
    const run = new Run([stage("a")]).refuseDispatch("a").resolve("a", { option: "retry", instructions: "" });
    const text = JSON.stringify(entriesOf(run));
    const entries = Object(JSON.parse(text.replace(',"refusal":"no-route"', "")));
    expect(JSON.stringify(entries)).not.toContain('"refusal"');
    expect(text).toContain('"refusal"');
    expect(foldEntries(entries)).toStrictEqual({ kind: "folded", state: run.state });
  });

  test("an entry of another revision leaves a hole", () => {
    expect(alter(3, () => ({ pipelineRevision: 99 }))).toMatchObject({ kind: "broken", why: "gap" });
    expect(alter(3, () => ({ pipelineRevision: 3 }))).toMatchObject({ kind: "broken", why: "gap" });
  });

  test("an entry of another pipeline, or of none", () => {
    expect(alter(3, () => ({ pipelineId: "pl-2" }))).toEqual({
      kind: "unreadable",
      entry: 3,
      why: "entry.pipelineId: is pl-2; the first entry's is pl-1",
    });
    expect(alter(0, () => ({ pipelineId: undefined }))).toMatchObject({ kind: "unreadable", entry: 0 });
    expect(folded((entries) => entries.map((entry) => ({ ...entry, pipelineId: "pl-2" })))).toMatchObject({
      kind: "unreadable",
      why: "the plan is that of pl-1",
    });
  });

  test("a change that names a stage, a field or a kind that there is not", () => {
    const sent = asking().facts.findIndex(({ action }) => action === "dispatch.sent");
    const change = (set: object) =>
      alter(sent, ({ changes }) => ({ changes: [{ ...Object(changes)[0], ...set }] }));
    expect(change({ subjectId: "z" })).toMatchObject({ kind: "broken", why: "unknown-stage" });
    expect(change({ kind: "staged" })).toMatchObject({ kind: "unreadable", entry: sent });
    expect(change({ set: { v: 1, state: "READY" } })).toMatchObject({
      kind: "unreadable",
      why: "entry.changes[0].set.state: is not known",
    });
    expect(change({ set: { v: 1, status: "DISPATCHED", attemptNumber: 9 } })).not.toStrictEqual({
      kind: "folded",
      state: asking().state,
    });
  });

  test("a question that is opened under another id than it has", () => {
    const opened = asking().facts.findIndex(({ action }) => action === "escalation.opened");
    expect(
      alter(opened, ({ changes }) => ({ changes: [{ ...Object(changes)[0], subjectId: "pl-1-e9" }] })),
    ).toMatchObject({ kind: "unreadable", why: 'entry.changes[0]: is about "pl-1-e9", and sets pl-1-e1' });
  });
});

test("REC-1 an entry has no id and no time of its own, and nothing of what is empty", () => {
  const [first] = new Run([stage("a")]).facts;
  if (first === undefined) throw new Error("nothing was recorded");
  const bare = {
    ...first,
    rationale: "",
    actor: { type: "system", id: "" },
    snapshot: null,
    changes: [],
  } as const;
  expect(
    auditEntryJson(
      { ...bare, revision: null },
      { tenantId: "", pipelineId: "", traceId: "", schemaVersion: "" },
    ),
  ).toEqual({
    eventType: "AUDIT_EVENT_TYPE_PIPELINE_CREATED",
    actor: { type: "ACTOR_TYPE_SYSTEM" },
    action: "pipeline.created",
  });
});
