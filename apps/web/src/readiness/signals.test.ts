import { expect, test } from "vitest";
import { headlineOf, signalsOf, type Readiness } from "./signals.ts";

const at = "2030-01-01T00:00:00.000Z";
const ready: Readiness = {
  status: "ready",
  at,
  checks: [
    { name: "process", ok: true },
    { name: "database", ok: true },
    { name: "schema", ok: true },
    { name: "loops", ok: true },
  ],
};
const databaseLost: Readiness = {
  status: "degraded",
  at,
  checks: [
    { name: "process", ok: true },
    { name: "database", ok: false, reason: "the database does not answer" },
  ],
};
const draining: Readiness = {
  status: "draining",
  at,
  checks: [{ name: "process", ok: false, reason: "draining" }],
};
const aspects = (...input: Parameters<typeof signalsOf>) =>
  signalsOf(...input).map(({ id, aspect }) => [id, aspect]);

test("all checks clear over a live line is clear", () => {
  expect(new Set(signalsOf(ready, "connected").map(({ aspect }) => aspect))).toEqual(new Set(["clear"]));
  expect(headlineOf(ready, "connected")).toMatch(/^Every check is clear: /);
});

test("without a reading nothing is called clear", () => {
  expect(headlineOf(undefined, "connected")).toMatch(/^Waiting/);
  expect(headlineOf(undefined, "connecting")).toMatch(/^Waiting/);
  const lamps = ["line", "process", "database", "schema", "loops"];
  expect(aspects(undefined, "connecting")).toEqual(lamps.map((lamp) => [lamp, "unlit"]));
  expect(aspects(ready, "connected").map(([lamp]) => lamp)).toEqual(lamps);
});

test("a lost line is danger, and the checks it brought go dark", () => {
  expect(aspects(ready, "lost")).toEqual([
    ["line", "danger"],
    ["process", "unlit"],
    ["database", "unlit"],
    ["schema", "unlit"],
    ["loops", "unlit"],
  ]);
  expect(headlineOf(ready, "lost")).toMatch(/lost/);
});

test("a failed check is danger with its reason, and decides the headline", () => {
  expect(signalsOf(databaseLost, "connected")).toContainEqual({
    id: "database",
    label: "Database",
    aspect: "danger",
    reason: "the database does not answer",
  });
  expect(headlineOf(databaseLost, "connected")).toMatch(/cannot take work/);
});

test("without a process that looks for what is due, work is taken all the same, and it is said", () => {
  const reason = "no process looks for what is due";
  const loops = { name: "loops", ok: false, reason } as const;
  const alone = { ...ready, checks: [...ready.checks.filter(({ name }) => name !== "loops"), loops] };
  expect(signalsOf(alone, "connected")).toContainEqual({
    id: "loops",
    label: "Loops",
    aspect: "caution",
    reason,
  });
  expect(headlineOf(alone, "connected")).toMatch(/takes work, but nothing looks for what is due/);
  expect(
    headlineOf(
      { ...databaseLost, checks: [...databaseLost.checks, { name: "loops", ok: false }] },
      "connected",
    ),
  ).toMatch(/cannot take work/);
});

test("draining is caution: it was asked for", () => {
  expect(aspects(draining, "connected")).toContainEqual(["process", "caution"]);
  expect(headlineOf(draining, "connected")).toMatch(/stopping/);
});
