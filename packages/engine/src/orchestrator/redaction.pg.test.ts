import { AuditEventType } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import { questionOf, submission, submitTemplate } from "../testing/pipelines.ts";
import { builderPolicy, prepare } from "../testing/prepare.ts";
import { askedBy, openTestEngine, publishPolicy, type TestEngine } from "../testing/test-engine.ts";
import { listAudit } from "../read-audit.ts";
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

let planted: string[] = [];
beforeEach(() => {
  planted = [];
});
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
/** A token of a known form; each of its own, so that a leak says where it was planted. */
function secret(where: string): string {
  const body = Array.from({ length: 36 }, (_, place) => {
    const seed = (planted.length + 1) * 7919 + place * 104_729 + where.length * 31;
    return alphabet[(seed * seed) % alphabet.length];
  }).join("");
  const made = `ghp_${body}`;
  planted.push(made);
  return `${where} ${made} end`;
}

/** Every column of every table, as a login that sees all of them reads it. */
async function everything(): Promise<Map<string, string>> {
  const tables = await readRows(
    opened.made.url,
    "select tablename from pg_tables where schemaname = 'signalbox' order by tablename",
  );
  const dumped = await Promise.all(
    tables.map(async ({ tablename }) => {
      const rows = await readRows(
        opened.made.url,
        `select row_to_json(t)::text as row from signalbox."${String(tablename)}" t`,
      );
      return [String(tablename), rows.map(({ row }) => String(row)).join("\n")] as const;
    }),
  );
  return new Map(dumped);
}

test("D21 5.3: a secret planted in any free text survives in no column of any table, and what was masked is marked", async () => {
  const { engine } = opened;
  await agent
    .beat({ currentTasks: [], degradedTools: [secret("degraded tool")] } as never)
    .catch(() => agent.beat());
  const pipelineId = await submitTemplate(engine, "chain", {
    contract: {
      taskId: "t-1",
      title: secret("title"),
      ownerDomain: secret("owner"),
      acceptanceCriteria: [secret("criterion")],
      nonGoals: [secret("non-goal")],
      definitionOfDone: [secret("done")],
    },
    refs: [{ uriOrLocator: `https://deploy:${secret("x").split(" ")[1]}@host.example/a` }],
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
  await pausePipeline(engine, askedBy("operator"), { pipelineId, note: secret("pause note") });
  await resumePipeline(engine, askedBy("operator"), { pipelineId, note: secret("resume note") });
  await agent.work("a", {
    summary: secret("summary"),
    artifacts: [{ path: `out/${secret("path").split(" ")[1]}`, digest: "sha256:a" }],
    blockers: [{ description: secret("blocker"), suggestedResolution: secret("resolution") }],
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
        [secret("key").split(" ")[1] ?? ""]: 1,
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
  await agent.take(5, 500);

  const tables = await everything();
  expect(planted.length).toBeGreaterThan(25);
  const leaks = planted.flatMap((one) =>
    [...tables].flatMap(([table, text]) => (text.includes(one) ? [`${table}: ${one}`] : [])),
  );
  expect(leaks).toEqual([]);
  const marked = [...tables].filter(([, text]) => text.includes("[redacted:")).map(([table]) => table);
  expect(marked).toEqual(
    expect.arrayContaining(["tasks", "dispatches", "results", "audit_entries", "stages", "escalations"]),
  );
});

test("D21: what cannot be redacted is refused with its reason, and leaves nothing", async () => {
  const { engine } = opened;
  await agent.beat();
  const counts = async () =>
    Promise.all(
      ["pipelines", "tasks", "stages", "dispatches", "results", "events where kind <> 'alert.raised'"].map(
        async (table) => {
          const [row] = await readRows(opened.made.url, `select count(*)::int as n from signalbox.${table}`);
          return row?.["n"];
        },
      ),
    );
  const tooDeep = (depth: number): object => (depth === 0 ? { end: true } : { in: tooDeep(depth - 1) });
  const before = await counts();
  const huge = "x ".repeat(9_000_000);
  await expect(
    submitTask(
      engine,
      askedBy("operator"),
      submission({
        work: { case: "templateId", value: "chain" },
        contract: { taskId: "t-1", title: huge, acceptanceCriteria: ["it works"] },
      }),
    ),
  ).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  expect(await counts()).toEqual(before);
  const alerts = await readRows(
    opened.made.url,
    "select payload from signalbox.events where kind = 'alert.raised'",
  );
  expect(alerts).toEqual([{ payload: expect.stringContaining(`"alert":"redaction-blocked"`) as string }]);

  const pipelineId = await submitTemplate(engine, "chain");
  const envelope = await agent.takeOne();
  const running = await counts();
  const response = { status: "success", message: "", thought: "", data: tooDeep(200) as never };
  await expect(agent.report(envelope, { response })).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  expect(await counts()).toEqual(running);
  const { entries } = await listAudit(engine, askedBy("auditor"), {
    pipelineId,
    eventType: AuditEventType.RESULT_RECEIVED,
  });
  expect(entries).toEqual([]);
  const blocked = await listAudit(engine, askedBy("auditor"), {
    eventType: AuditEventType.REDACTION_BLOCKED,
  });
  expect(blocked.entries.map(({ payload }) => JSON.parse(payload) as object)).toMatchObject([
    {
      action: "redaction.blocked",
      rationale: expect.stringContaining(`pipeline ${pipelineId} could not be masked`),
    },
    { action: "redaction.blocked" },
  ]);
  expect(opened.failures.map(String)).toEqual(
    Array.from({ length: 2 }, () => expect.stringContaining("SignalboxError")),
  );
  await agent.report(envelope);
});

const publishRedaction = (version: string, redaction: object) =>
  publishPolicy(opened.engine, builderPolicy({ version, redaction }));

test("D21 RED-11: what a person says is masked as the tenant's policy says of a rationale, wherever it is kept", async () => {
  const { engine } = opened;
  await publishRedaction("2.0.0", {
    always_redact: [],
    conditional_redact: [{ field: "audit_entry.rationale", rule: "personal_data" }],
  });
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  await pausePipeline(engine, askedBy("operator"), { pipelineId, note: "ask jane.roe@example.org" });
  await resumePipeline(engine, askedBy("operator"), { pipelineId });
  const instructions = "mail john.doe@example.org";
  await rewindPipeline(engine, askedBy("operator"), { pipelineId, stageId: "a", instructions });
  const text = [...(await everything())].flatMap(([, rows]) => rows).join("\n");
  expect(text).not.toMatch(/jane\.roe|john\.doe/);
  expect(text).toContain("ask [redacted:email]");
  expect(text).toContain("mail [redacted:email]");
});

test("D21: a policy that masks a field which holds no text refuses what has it, names the field and puts that on record", async () => {
  const { engine } = opened;
  await agent.beat();
  const pipelineId = await submitTemplate(engine, "chain");
  const envelope = await agent.takeOne();
  await publishRedaction("2.0.0", {
    always_redact: ["**/*.risk_tier", "**/*.timing"],
    conditional_redact: [],
  });
  const refused = { code: "REDACTION_FAILED", detail: expect.stringContaining("execution.riskTier") };
  await expect(submitTemplate(engine, "chain")).rejects.toMatchObject(refused);
  const timing = { duration: { seconds: 1n } };
  await expect(agent.report(envelope, { timing })).rejects.toMatchObject({ code: "REDACTION_FAILED" });
  const { entries } = await listAudit(engine, askedBy("auditor"), {
    eventType: AuditEventType.REDACTION_BLOCKED,
  });
  expect(entries.map(({ payload }) => JSON.parse(payload) as object)).toMatchObject([
    { action: "redaction.blocked", rationale: expect.stringContaining(pipelineId) },
    { action: "redaction.blocked" },
  ]);
  await agent.report(envelope);
});
