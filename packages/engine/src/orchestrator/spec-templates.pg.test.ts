import { readFileSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { workByHand } from "../testing/hand-worked-agent.ts";
import { answer, questionOf, standingOf, submitTemplate, waitForStatus } from "../testing/pipelines.ts";
import { startAgent } from "../testing/scripted-agent.ts";
import {
  askedBy,
  openTestEngine,
  packOf,
  publishPolicy,
  publishTemplates,
  registerPacks,
  type TestEngine,
} from "../testing/test-engine.ts";
import { factsOf } from "../testing/audit.ts";

const written = (name: string): string =>
  readFileSync(new URL(`../../../core/src/documents/fixtures/${name}.yaml`, import.meta.url), "utf8");
const specPolicy = written("routing-policy");
/** The spec's own, with the route that its template needs. */
const mendedPolicy = specPolicy
  .replace('version: "1.0.0"', 'version: "1.1.0"')
  .replace(
    "  admission:",
    '    - task_type: "verification"\n      allowed_pack_ids: ["qa-engineer"]\n\n  admission:',
  );
const packs = ["senior-python-dev", "senior-ts-dev", "generalist-dev", "qa-engineer", "security-reviewer"];

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
  await registerPacks(
    opened.engine,
    packs.map((packId) => packOf(packId)),
  );
  await publishTemplates(opened.engine, written("pipeline-templates"));
});
afterEach(() => opened.end());

test("D23: the spec's first template meets a missing route at verification; a policy with the route and a retry complete it", async () => {
  const { engine } = opened;
  await publishPolicy(engine, specPolicy);
  const agents = await Promise.all(
    packs.map((packId) =>
      startAgent({ engine: () => engine, asked: askedBy("agent"), packId, instanceId: `${packId}-1` }),
    ),
  );
  const pipelineId = await submitTemplate(engine, "implement-and-review");
  const question = await questionOf(engine, pipelineId, "verify");
  expect(question).toMatchObject({
    cause: "dispatch-refused",
    problem: expect.stringContaining("verification"),
    impact: expect.stringContaining("verify"),
    options: ["retry", "abort"],
    recommended: "retry",
    blocking: true,
  });
  expect(await standingOf(engine, pipelineId)).toEqual({
    pipeline: "PAUSED",
    implement: "COMPLETED",
    review: "COMPLETED",
    verify: "READY",
  });

  await publishPolicy(engine, mendedPolicy);
  await answer(engine, question, { option: "retry", instructions: "" });
  await waitForStatus(engine, pipelineId, "COMPLETED");

  const sent = await factsOf(engine, { pipelineId }).then((facts) =>
    facts.filter(({ action }) => action === "dispatch.sent"),
  );
  expect(sent.map(({ stageId, packId }) => [stageId, packId])).toEqual([
    ["implement", "senior-python-dev"],
    ["review", "qa-engineer"],
    ["verify", "qa-engineer"],
  ]);
  for (const agent of agents) await agent.stop();
  expect(opened.failures).toEqual([]);
});

test("4.3: the spec's second template is a diamond whose two reviews really run side by side", async () => {
  const { engine } = opened;
  await publishPolicy(engine, mendedPolicy);
  const [python, qa, security] = ["senior-python-dev", "qa-engineer", "security-reviewer"].map((packId) =>
    workByHand(engine, packId),
  );
  if (python === undefined || qa === undefined || security === undefined) throw new Error("no agents");
  for (const agent of [python, qa, security]) await agent.beat();
  const pipelineId = await submitTemplate(engine, "critical-with-security");
  await python.work("implement", { artifacts: [{ path: "src/a.ts", digest: "sha256:a" }] });

  const [securityReview, review] = await Promise.all([security.takeOne(), qa.takeOne()]);
  expect(await standingOf(engine, pipelineId)).toEqual({
    pipeline: "RUNNING",
    implement: "COMPLETED",
    "security-review": "DISPATCHED",
    review: "DISPATCHED",
    verify: "PENDING",
  });
  expect(securityReview.refs).toMatchObject([{ uriOrLocator: "src/a.ts" }]);

  await qa.report(review);
  await security.report(securityReview);
  // The route makes it CRITICAL, whatever the submitter said.
  const question = await questionOf(engine, pipelineId, "security-review");
  expect(question).toMatchObject({ cause: "gate", recommended: "advance" });
  await answer(engine, question, { option: "advance" });

  await qa.work("verify");
  await waitForStatus(engine, pipelineId, "COMPLETED");
});
