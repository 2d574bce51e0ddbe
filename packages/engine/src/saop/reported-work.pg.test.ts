import { AuditEventType } from "@signalbox/contracts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listAudit } from "../read-audit.ts";
import { type HandWorkedAgent, idOf, workByHand } from "../testing/hand-worked-agent.ts";
import { openQuestions, questionOf, submitTemplate, waitForStatus } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { toolCall, turn } from "../testing/saop-reports.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { reportEvents } from "./report-events.ts";
import { reportTurn } from "./report-turn.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeAll(async () => {
  opened = await openTestEngine();
  await prepare(opened.engine);
  agent = workByHand(opened.engine, "builder");
  await agent.beat({ capacity: { maxTasks: 100 } });
});
afterAll(() => opened.end());

type Safety = NonNullable<Parameters<typeof submitTemplate>[2]>["safety"];
const asked = askedBy("agent");

/** A task on which the agent tells of three turns and these calls before it reports a success. */
async function worked(safety: Safety, calls: readonly Record<string, unknown>[]) {
  const { engine } = opened;
  const pipelineId = await submitTemplate(engine, "chain", { safety });
  let envelope = await agent.takeOne();
  while (!idOf(envelope).startsWith(pipelineId)) envelope = await agent.takeOne();
  const dispatchId = idOf(envelope);
  for (const index of [0, 1, 2]) await reportTurn(engine, asked, dispatchId, turn(index));
  await reportEvents(
    engine,
    asked,
    dispatchId,
    calls.map((args) => toolCall(args)),
  );
  await agent.report(envelope);
  return pipelineId;
}

test.each<[string, Safety, Record<string, unknown>, string]>([
  ["a denied tool", { toolDenylist: ["grep"] }, {}, 'the denied tool "grep" was used'],
  ["a tool that is not allowed", { toolAllowlist: ["sed"] }, {}, 'the tool "grep" was used and is not'],
  ["a denied program", { toolDenylist: ["curl"] }, { command: "curl x" }, 'the denied tool "curl" was used'],
  ["a prohibited action", { prohibitedActions: ["git push"] }, { cmd: ["git", "push"] }, 'action "git push"'],
  ["too many steps", { maxAutonomousSteps: 2 }, {}, "3 steps without a person, over the limit of 2"],
])("D14 GATE-29 %s that was reported while it was at work asks a person", async (_, safety, args, found) => {
  const question = await questionOf(opened.engine, await worked(safety, [args]));
  expect(question).toMatchObject({ cause: "gate", problem: expect.stringContaining(found) });
});

test("D14 GATE-29 what stays within its limits passes, and the check says what it saw", async () => {
  const { engine } = opened;
  const before = (await openQuestions(engine)).length;
  const safety = { maxAutonomousSteps: 3, toolAllowlist: ["grep"], prohibitedActions: ["git push"] };
  const pipelineId = await worked(safety, [{ command: "ls" }, { pattern: "git push" }]);
  const { entries } = await listAudit(engine, askedBy("auditor"), {
    pipelineId,
    eventType: AuditEventType.GATE_PASSED,
  });
  expect(entries).toHaveLength(1);
  expect(entries[0]?.payload).not.toContain("not reported");
  expect(await openQuestions(engine)).toHaveLength(before);
});

test("D14 GATE-29 another attempt's work is not held against this one", async () => {
  const { engine } = opened;
  const first = await worked({ toolDenylist: ["curl"] }, [{ command: "curl x" }]);
  await questionOf(engine, first);
  const second = await worked({ toolDenylist: ["curl"] }, [{ command: "ls" }]);
  await agent.work("b");
  await agent.work("c");
  await waitForStatus(engine, second, "COMPLETED");
  expect((await openQuestions(engine)).some(({ pipelineId }) => pipelineId === second)).toBe(false);
});
