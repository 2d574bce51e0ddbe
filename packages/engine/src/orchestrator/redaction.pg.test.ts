import { EvidenceType } from "@signalbox/contracts";
import { secretRules } from "@signalbox/core";
import { assemble, numbersFrom } from "@signalbox/core/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import { questionOf, submission, submitTemplate } from "../testing/pipelines.ts";
import { createDraft } from "../documents/drafts.ts";
import { publishDocument } from "../documents/publish.ts";
import { quarantineInstance } from "../registry/instances.ts";
import { reportEvents } from "../saop/report-events.ts";
import { reportTurn } from "../saop/report-turn.ts";
import { builderPolicy, prepare, publishRedaction } from "../testing/prepare.ts";
import { everyColumn, pulse, thought, toolCall, turn } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { commentOnEscalation } from "./attend-escalations.ts";
import { pausePipeline, resolveEscalation, resumePipeline, rewindPipeline } from "./person-commands.ts";
import { submitTask } from "./submit-task.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
  agent = workByHand(opened.engine, "builder");
});
afterEach(() => opened.end());

/** What was made up, with where it was planted; each of its own, so that a leak says where it came in. */
let planted: { readonly where: string; readonly whole: string }[] = [];
let turnOfKinds = 0;
beforeEach(() => {
  planted = [];
  turnOfKinds = 0;
});

/** Every kind of secret that there is a rule for, in every form that the rule's examples have. */
const kinds = secretRules.flatMap(({ id, masks }) => masks.map((example) => ({ id, example })));
const AT_ONCE = 4;

const made = (where: string, example: Parameters<typeof assemble>[0]): string => {
  const { text, secrets } = assemble(example, numbersFrom(planted.length + 1));
  planted.push(...secrets.map((whole) => ({ where, whole })));
  return text;
};

/** One word that is a token, for where no more than a word may stand. */
const token = (where: string): string => made(where, ["ghp_", { of: "alnum", length: 36 }]);

/** A token amid words and the next four kinds of secret; as many fields as there are go through all of them. */
function secret(where: string): string {
  const lines = Array.from({ length: AT_ONCE }, () => {
    const kind = kinds[turnOfKinds++ % kinds.length];
    return kind === undefined ? "" : made(`${where}: ${kind.id}`, kind.example);
  });
  return [`${where} ${token(where)} end`, ...lines].join("\n");
}

/** As in RED-4: this many characters in a row are too much to be left of a secret. */
const TELLING = 12;

const restOf = (text: string, whole: string): string | undefined =>
  Array.from({ length: Math.max(0, whole.length - TELLING + 1) }, (_, start) =>
    whole.slice(start, start + TELLING),
  ).find((part) => text.includes(part));

const leaksIn = (tables: ReadonlyMap<string, string>): string[] =>
  planted.flatMap(({ where, whole }) =>
    [...tables].flatMap(([table, text]) =>
      restOf(text, whole) === undefined ? [] : [`${table}: ${whole} of ${where}`],
    ),
  );

test("D21 5.3: of secrets of every kind, planted in any free text, nothing survives in any column of any table, and what was masked is marked", async () => {
  const { engine } = opened;
  await agent
    .beat({ health: { degradedTools: [secret("degraded tool")] }, availableTools: [token("tool")] })
    .catch(() => agent.beat());
  await expect(
    submitTemplate(engine, "chain", {
      contract: { taskId: token("task id"), title: "Build it", acceptanceCriteria: ["it works"] },
      refs: [
        { uriOrLocator: "https://host.example/a" },
        { uriOrLocator: `https://deploy:${token("locator")}@host.example/b` },
        { uriOrLocator: "https://host.example/c", versionOrSha: token("revision") },
      ],
    }),
  ).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [
      { field: "contract.taskId", rule: "no_secret" },
      {
        field: "refs[1].uriOrLocator",
        rule: "no_secret",
        message: expect.stringContaining("nobody could fetch it"),
      },
      { field: "refs[2].versionOrSha", rule: "no_secret" },
    ],
  });
  const pipelineId = await submitTemplate(engine, "chain", {
    contract: {
      taskId: "t-1",
      title: secret("title"),
      ownerDomain: secret("owner"),
      acceptanceCriteria: [secret("criterion")],
      nonGoals: [secret("non-goal")],
      definitionOfDone: [secret("done")],
    },
    safety: { prohibitedActions: [secret("prohibited")] },
    contextIn: {
      sharedContext: secret("shared"),
      taskDelta: secret("delta"),
      decisionMemo: {
        decisions: [{ decisionId: "d1", description: secret("decision"), rationale: secret("why") }],
      },
      criticalSnippets: [{ path: "a.ts", content: secret("snippet") }],
      unresolvedAssumptions: [secret("assumption")],
    },
  });
  await pausePipeline(engine, askedBy("operator"), { pipelineId, note: `so ${token("pause note")}` });
  await resumePipeline(engine, askedBy("operator"), { pipelineId, note: `so ${token("resume note")}` });
  await agent.work("a", {
    summary: secret("summary"),
    artifacts: [{ path: `out/${token("path")}`, digest: "sha256:a" }],
    blockers: [{ description: secret("blocker"), suggestedResolution: secret("resolution") }],
    evidence: {
      evidencePayload: {
        case: "items",
        value: {
          items: [
            { type: EvidenceType.TEST, command: "true", passed: true, output: secret("output") },
            { type: EvidenceType.LINT, command: secret("command"), passed: true, output: "" },
          ],
        },
      },
    },
    contextOut: {
      decisionsMade: [{ decisionId: "d2", description: secret("made"), rationale: secret("rationale") }],
      risksIdentified: [secret("risk")],
      assumptionsMade: [secret("assumed")],
      rollbackNotes: secret("rollback"),
    },
    response: {
      thought: secret("thought"),
      status: "success",
      message: secret("message"),
      data: {
        note: secret("data"),
        nested: { list: [secret("deep")] },
        [token("key")]: 1,
      },
      nextStepHint: secret("hint"),
    },
  });
  // A secret in a result is a breach: a person decides.
  const question = await questionOf(engine, pipelineId, "a");
  expect(question.cause).toBe("gate");
  await resolveEscalation(engine, askedBy("approver"), question.escalationId, {
    resolution: { option: "retry", instructions: secret("instructions") },
    comment: secret("comment"),
  });
  const wrong = await agent.takeOne();
  const invalid = {
    trace: { traceId: secret("trace"), spanId: secret("span"), tenantId: secret("tenant") },
    protocolVersion: { schemaVersion: secret("version") },
    dispatchId: secret("dispatch"),
    summary: secret("invalid"),
  };
  await expect(agent.report(wrong, invalid)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await expect(agent.report(wrong, { summary: secret("stale") })).rejects.toMatchObject({
    code: "STALE_DISPATCH",
  });
  await rewindPipeline(engine, askedBy("operator"), {
    pipelineId,
    stageId: "a",
    instructions: secret("rewind"),
  });
  const [working] = await agent.take(5, 500);
  await commentOnEscalation(engine, askedBy("approver"), question.escalationId, secret("remark"));
  const dispatchId = working?.execution?.dispatchId ?? "";
  const worker = askedBy("agent");
  await reportTurn(engine, worker, dispatchId, turn(0, { thought: secret("turn"), action: secret("acted") }));
  await reportEvents(engine, worker, dispatchId, [
    thought(secret("chunk"), { turn_index: 1, sequence: 0 }),
    pulse(secret("line"), { turn_index: 1, sequence: 1 }),
    toolCall({ query: secret("argument"), password: "hunter2hunter2" }, { turn_index: 1, sequence: 2 }),
  ]);
  await quarantineInstance(engine, askedBy("operator"), {
    packId: "builder",
    instanceId: "builder-1",
    note: `bad ${token("quarantine")}`,
  });
  const version = "9.0.0";
  await createDraft(engine, askedBy("admin"), "routing-policy", {
    text: builderPolicy({ version }),
    note: `of ${token("draft")}`,
  });
  await publishDocument(engine, askedBy("admin"), "routing-policy", {
    version,
    note: `now ${token("publication")}`,
  });

  const tables = await everyColumn(opened.made.url);
  // As many as there are fields, and every kind at least once.
  const seen = new Set(planted.map(({ where }) => where.split(": ")[1]));
  expect(secretRules.map(({ id }) => id).filter((id) => !seen.has(id))).toEqual([]);
  expect(leaksIn(tables)).toEqual([]);
  expect([...tables].filter(([, text]) => text.includes("hunter2"))).toEqual([]);
  const marked = [...tables].filter(([, text]) => text.includes("[redacted:")).map(([table]) => table);
  expect(marked).toEqual(
    expect.arrayContaining([
      "tasks",
      "dispatches",
      "results",
      "audit_entries",
      "stages",
      "escalations",
      "escalation_comments",
      "turns",
      "trace_runs",
      "routing_policies",
    ]),
  );
});

test("references as they usually are hold nothing that looks like a secret", async () => {
  const digest = `sha256:${"0f3a9c".repeat(11).slice(0, 64)}`;
  const refs = [
    {
      uriOrLocator: "src/identity/sessions.ts",
      versionOrSha: "9c1185a5c5e9fc54612808977ee8f548b2258d31",
      digest,
    },
    {
      uriOrLocator: "https://git.example.org/a/b/pull/12?tab=files#L3",
      versionOrSha: "v1.4.0-rc.1+5",
      digest,
    },
    {
      uriOrLocator: "signalbox:attachment/0199a1b2-0d2c-7c1a-9b75-2a4b3b0b6c0a",
      digest: `sha512:${"ab12".repeat(32)}`,
    },
    { uriOrLocator: "postgres://reader@db.example.org/orders#42", versionOrSha: "feature/TAS-114" },
  ];
  const pipelineId = await submitTemplate(opened.engine, "chain", { refs });
  await agent.beat();
  const envelope = await agent.takeOne();
  expect(envelope.execution?.idempotencyKey).toContain(pipelineId);
  expect(envelope.refs).toMatchObject(refs);
});

test("SACP-53: a schema for answers that masking makes none is refused with the task, by the member that is masked", async () => {
  const work = { case: "taskType", value: "build" } as const;
  const asked = (name: string) =>
    submitTask(
      opened.engine,
      askedBy("operator"),
      submission({
        work,
        responseFormat: "json_standard",
        outputSchema: { type: "object", properties: { [name]: { type: "string" } } },
      }),
    );
  await expect(asked("token")).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "outputSchema.properties.token", rule: "masked" }],
  });
  await asked("voucher");
});

test("D21 RED-11: what a person says is masked as the tenant's policy says of a rationale, wherever it is kept", async () => {
  const { engine } = opened;
  await publishRedaction(engine, "2.0.0", {
    always_redact: [],
    conditional_redact: [{ field: "audit_entry.rationale", rule: "personal_data" }],
  });
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  await pausePipeline(engine, askedBy("operator"), { pipelineId, note: "ask jane.roe@example.org" });
  await resumePipeline(engine, askedBy("operator"), { pipelineId });
  const instructions = "mail john.doe@example.org";
  await rewindPipeline(engine, askedBy("operator"), { pipelineId, stageId: "a", instructions });
  const text = [...(await everyColumn(opened.made.url)).values()].join("\n");
  expect(text).not.toMatch(/jane\.roe|john\.doe/);
  expect(text).toContain("ask [redacted:email]");
  expect(text).toContain("mail [redacted:email]");
});
