import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { elementTexts, readEntryPage, type Entry } from "./audit/entries.ts";
import { filterQuery } from "./audit/filters.ts";
import { readTailCursor, tailWindow } from "./audit/tail-window.ts";
import { readConnection } from "./connection/settings.ts";
import type { StoredDocument } from "./documents/answers.ts";
import { decidePush } from "./documents/push-plan.ts";
import { readEnvironment } from "./environment.ts";
import type { Pipeline, Stage } from "./pipelines/answers.ts";
import { progressBetween } from "./tasks/progress.ts";
import { submissionFrom } from "./tasks/submission.ts";

describe("a push", () => {
  const stored = (status: StoredDocument["status"], text: string, version = "1.0.0"): StoredDocument => ({
    version,
    status,
    edit: 3,
    createdAt: "",
    createdBy: "",
    text,
  });
  const active = stored("active", "old", "0.9.0");

  test.each([
    ["nothing there", undefined, false, { draft: "create", publish: false, replaces: "0.9.0" }],
    [
      "nothing there, to be published",
      undefined,
      true,
      { draft: "create", publish: true, replaces: "0.9.0" },
    ],
    ["a draft with another text", stored("draft", "x"), false, { draft: "edit", edit: 3, publish: false }],
    ["the same draft, to be published", stored("draft", "new"), true, { draft: "nothing", publish: true }],
    ["a retired version, to come back", stored("retired", "new"), true, { draft: "nothing", publish: true }],
    [
      "the active version itself",
      stored("active", "new"),
      true,
      { draft: "nothing", publish: false, changes: false },
    ],
  ])("%s", (_case, found, publish, expected) => {
    const plan = decidePush({ stored: found, active, text: "new", publish, edit: undefined });
    expect(plan).toMatchObject({ kind: "planned", ...expected });
  });

  test.each([
    [stored("active", "x"), undefined, "is published with another text"],
    [stored("retired", "x"), undefined, "was published with another text"],
    [stored("draft", "x"), 2, "it is at edit 3 now"],
  ])("is refused where it would write over something", (found, edit, why) => {
    const plan = decidePush({ stored: found, active, text: "new", publish: false, edit });
    expect(plan).toMatchObject({ kind: "refused", why: expect.stringContaining(why) });
  });

  test("the same text again is no conflict, whatever edit it was made from", () => {
    const plan = decidePush({ stored: stored("draft", "new"), active, text: "new", publish: false, edit: 1 });
    expect(plan).toMatchObject({ kind: "planned", draft: "nothing" });
  });
});

describe("progress", () => {
  const stage = (more: Partial<Stage> = {}): Stage => ({
    stageId: "build",
    stageName: "",
    taskType: "build",
    status: "STAGE_STATUS_READY",
    attemptNumber: 1,
    dispatch: null,
    result: null,
    wait: null,
    notBefore: null,
    waitsForEscalationId: null,
    failure: null,
    skipReason: null,
    ...more,
  });
  const pipeline = (more: Partial<Pipeline> = {}): Pipeline => ({
    pipelineId: "p",
    pipelineName: "",
    sourceTaskId: "t",
    status: "PIPELINE_STATUS_RUNNING",
    revision: 1,
    stages: [stage()],
    trace: { traceId: "" },
    templateId: "",
    templateVersion: "",
    submittedBy: { id: "" },
    createdAt: "",
    endedAt: null,
    deadlineAt: null,
    pause: null,
    retriesUsed: 0,
    rejectionsUsed: 0,
    openEscalations: [],
    ...more,
  });
  const question = {
    escalationId: "e1",
    cause: "gate",
    stageId: "build",
    problem: "Is it good?",
    impact: "",
    options: ["advance", "abort"],
    recommended: "advance",
    openedAt: "",
  };

  test("CLI-24: what has not changed is not told twice, and what has not begun not at all", () => {
    expect(progressBetween(pipeline(), pipeline({ revision: 2 }))).toEqual([]);
    const pending = pipeline({ stages: [stage({ status: "STAGE_STATUS_PENDING", attemptNumber: 0 })] });
    expect(progressBetween(undefined, pending)).toEqual([]);
    expect(progressBetween(undefined, pipeline())).toMatchObject([{ kind: "stage", status: "ready" }]);
  });

  test("CLI-24: a stage, a question, its answer and the pipeline are told as they change", () => {
    const asked = pipeline({
      status: "PIPELINE_STATUS_PAUSED",
      pause: { reason: "waiting", note: "" },
      stages: [stage({ status: "STAGE_STATUS_DISPATCHED", attemptNumber: 2 })],
      openEscalations: [question],
    });
    expect(progressBetween(pipeline(), asked)).toMatchObject([
      { kind: "stage", status: "dispatched", attempt: 2 },
      { kind: "question", escalationId: "e1", options: ["advance", "abort"] },
    ]);
    const ended = pipeline({ status: "PIPELINE_STATUS_COMPLETED", stages: asked.stages });
    expect(progressBetween(asked, ended)).toMatchObject([
      { kind: "answered", escalationId: "e1" },
      { kind: "pipeline", status: "completed" },
    ]);
  });
});

describe("the tail's window", () => {
  const entry = (at: string, auditId: string): Entry => ({
    auditId,
    recordedAt: `2026-01-01T00:00:${at}Z`,
    action: "",
    actor: "",
    subject: "",
    rationale: "",
    text: "",
  });
  const ids = (entries: readonly Entry[]) => entries.map(({ auditId }) => auditId);

  test("CLI-42: an entry that was committed late is told, and none twice", () => {
    const window = tailWindow();
    expect(ids(window.fresh([entry("40.2", "c"), entry("40.1", "b")]))).toEqual(["b", "c"]);
    // Begun before c, seen after it.
    expect(
      ids(window.fresh([entry("41", "e"), entry("40.2", "c"), entry("40.15", "d"), entry("40.1", "b")])),
    ).toEqual(["d", "e"]);
    expect(window.from()).toBe("2026-01-01T00:00:11.000Z");
  });

  test("CLI-42: what was left out at the beginning stays left out", () => {
    const window = tailWindow();
    window.fresh([entry("40", "c")]);
    expect(ids(window.fresh([entry("40", "c"), entry("39", "b"), entry("12", "a")]))).toEqual([]);
  });

  test("CLI-42: another tail goes on from the cursor", () => {
    const window = tailWindow();
    window.fresh([entry("40.123456", "c")]);
    const next = tailWindow(readTailCursor(window.cursor() ?? ""));
    expect(ids(next.fresh([entry("40.123457", "d"), entry("40.123456", "c"), entry("40.1", "b")]))).toEqual([
      "d",
    ]);
  });
});

describe("entries", () => {
  test("CLI-43: property: the elements of a list are its texts, to the letter", () => {
    const spaced = fc.constantFrom("", " ", "\n  ");
    fc.assert(
      fc.property(fc.array(fc.json(), { maxLength: 6 }), spaced, fc.json(), (elements, gap, other) => {
        const text = `{"first":${other},${gap}"entries"${gap}:[${elements.map((one) => gap + one + gap).join(",")}],"nextCursor":"entries"}`;
        expect(elementTexts(text, "entries")).toEqual(elements.map((one) => one.trim()));
      }),
    );
  });

  test("CLI-43: a payload keeps its bytes", () => {
    const payload = '{ "action":"a",  "n": 1.0, "rationale":"\\u00e4 \\"[{" }';
    const page = readEntryPage(`{"entries":[{"auditId":"1","recordedAt":"t","payload":${payload}}]}`);
    expect(page?.entries[0]?.text).toBe(`{"auditId":"1","recordedAt":"t","payload":${payload}}`);
    expect(readEntryPage('{"entries":[3]}')).toBeUndefined();
    expect(readEntryPage("[]")).toBeUndefined();
  });

  test("times are days, moments, or so long ago", () => {
    const now = new Date("2026-01-10T12:00:00Z");
    expect(
      filterQuery({ from: "90m", to: "2026-01-10T11:00:00Z", eventType: "pack-registered" }, now),
    ).toMatchObject({
      from: "2026-01-10T10:30:00.000Z",
      to: "2026-01-10T11:00:00.000Z",
      eventType: "AUDIT_EVENT_TYPE_PACK_REGISTERED",
    });
    for (const from of ["soon", "12", "9".repeat(40), "2026-13-01"])
      expect(() => filterQuery({ from }, now)).toThrow("is allowed");
  });
});

describe("a task", () => {
  test("from flags", () => {
    const body = submissionFrom(undefined, {
      template: "t",
      title: "Say «hello» now",
      criterion: ["It does"],
      risk: "critical",
      timeout: 60,
    });
    expect(JSON.parse(body)).toEqual({
      templateId: "t",
      contract: { taskId: "say-hello-now", title: "Say «hello» now", acceptanceCriteria: ["It does"] },
      execution: { riskTier: "RISK_TIER_CRITICAL", timeout: "60s" },
    });
  });

  test("JSON goes as it stands, YAML becomes JSON, and neither a mapping nor YAML is refused", () => {
    const text = '{ "templateId": "t", "n": 1.0 }';
    expect(submissionFrom({ name: "f", text }, {})).toBe(text);
    expect(submissionFrom({ name: "f", text: "templateId: t\ncontract: {title: x}" }, {})).toBe(
      '{"templateId":"t","contract":{"title":"x"}}',
    );
    expect(() => submissionFrom({ name: "f", text: "- a" }, {})).toThrow("f is no task");
    expect(() => submissionFrom({ name: "f", text: "a: [\nb" }, {})).toThrow(/^f:\d+:\d+: /);
    expect(() => submissionFrom({ name: "f", text }, { title: "x" })).toThrow("not by both");
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${[..."bcdefgh"].map((name, at) => `${name}: &${name} [${Array.from({ length: 9 }, () => `*${"abcdefg"[at]}`).join(",")}]`).join("\n")}`;
    expect(() => submissionFrom({ name: "f", text: bomb }, {})).toThrow("aliases");
  });
});

test("CLI-5: a key that goes over the network in the clear is warned of", async () => {
  const warned = async (url: string) => {
    const environment = readEnvironment({ SIGNALBOX_URL: url, SIGNALBOX_KEY: "k" });
    return (await readConnection({ environment, folder: "/" }, {})).warning !== undefined;
  };
  expect(await warned("http://box.example:7400")).toBe(true);
  expect(await warned("https://box.example")).toBe(false);
  expect(await warned("http://localhost:7400")).toBe(false);
  expect(await warned("http://[::1]:7400")).toBe(false);
});
