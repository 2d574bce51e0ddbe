import { afterEach, beforeEach, expect, test } from "vitest";
import { policyText } from "../testing/documents.ts";
import { submitType } from "../testing/pipelines.ts";
import { workByHand } from "../testing/hand-worked-agent.ts";
import {
  askedBy,
  openTestEngine,
  packOf,
  publishPolicy,
  registerPacks,
  type TestEngine,
} from "../testing/test-engine.ts";
import { simulatePolicy } from "./simulate.ts";

let opened: TestEngine;
beforeEach(async () => {
  opened = await openTestEngine();
  await registerPacks(
    opened.engine,
    ["a", "b", "c"].map((packId) => packOf(packId)),
  );
  await publishPolicy(
    opened.engine,
    policyText({ build: ["a", "b"] }, { routes: { build: { preferred_pack_id: "a" } } }),
  );
});
afterEach(() => opened.end());

const viewer = askedBy("viewer");
const simulate = (text: string, last?: number) => simulatePolicy(opened.engine, viewer, { text, last });
async function dispatchTwice() {
  const { engine } = opened;
  for (const packId of ["a", "b"]) await workByHand(engine, packId, `${packId}-1`).beat();
  for (let times = 0; times < 2; times += 1) await submitType(engine, "build");
}

test("DSP-110: under the policy in force the record comes out as it was; under another, what would go elsewhere is told with its why", async () => {
  await dispatchTwice();
  const inForce = policyText(
    { build: ["a", "b"] },
    { version: "2.0.0", routes: { build: { preferred_pack_id: "a" } } },
  );
  expect(await simulate(inForce)).toMatchObject({ looked: 2, same: 2, unreadable: 0, differing: [] });
  const { looked, differing, ...counts } = await simulate(policyText({ build: ["b"] }, { version: "2.0.0" }));
  expect(looked).toBe(2);
  expect(counts).toMatchObject({ elsewhere: differing.length, undecidable: 0, undecided: [] });
  expect(differing.length).toBeGreaterThan(0);
  expect(differing[0]).toMatchObject({
    taskType: "build",
    sourceTaskId: expect.stringMatching(/./),
    taskTitle: expect.stringMatching(/./),
    before: { packId: "a" },
    after: { packId: "b" },
    why: expect.stringContaining("b 1.0.0 on b-1"),
  });
});

test("DSP-110: what depends on packs that nobody weighed then is counted and told apart, as neither the same nor a change, and only so many are looked at", async () => {
  await dispatchTwice();
  const told = await simulate(policyText({ build: ["c"] }, { version: "2.0.0" }), 1);
  expect(told).toMatchObject({ looked: 1, same: 0, elsewhere: 0, undecidable: 1, differing: [] });
  expect(told.undecided).toMatchObject([{ packIds: ["c"], why: expect.stringContaining("how c stood") }]);
});

test("a text with faults is refused, as is a number of decisions that nobody should wait for", async () => {
  await expect(simulate("routing_policy: 1")).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await expect(simulate(policyText({ build: ["nobody"] }))).rejects.toMatchObject({
    violations: [{ rule: "unknown_pack" }],
  });
  for (const last of [0, 1_001, 1.5])
    await expect(simulate(policyText({ build: ["a"] }), last)).rejects.toMatchObject({
      violations: [{ field: "last" }],
    });
});

test("another tenant's record is not looked at", async () => {
  await dispatchTwice();
  const other = askedBy("viewer", "elsewhere");
  await expect(
    simulatePolicy(opened.engine, other, { text: policyText({ build: ["a"] }) }),
  ).rejects.toMatchObject({ violations: [{ rule: "unknown_pack" }] });
});
