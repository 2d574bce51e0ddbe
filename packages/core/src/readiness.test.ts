import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readinessOf, sameReadiness, type ReadinessFacts } from "./readiness.ts";

const current = { pending: [], unknownBreaking: [] };
const healthy: ReadinessFacts = {
  draining: false,
  databaseReachable: true,
  schema: current,
  loopsAtWork: true,
};
const facts: fc.Arbitrary<ReadinessFacts> = fc.record({
  draining: fc.boolean(),
  databaseReachable: fc.boolean(),
  schema: fc.option(
    fc.record({
      pending: fc.array(fc.constant("0003_more")),
      unknownBreaking: fc.array(fc.constant("0009_new")),
    }),
    { nil: undefined },
  ),
  loopsAtWork: fc.option(fc.boolean(), { nil: undefined }),
});

describe("readiness", () => {
  test("READY-1 ready is: not draining, database reachable, schema current", () => {
    fc.assert(
      fc.property(facts, (found) => {
        const { status, checks } = readinessOf(found);
        expect(status === "ready").toBe(checks.every(({ name, ok }) => ok || name === "loops"));
        const good =
          !found.draining &&
          found.databaseReachable &&
          found.schema?.pending.length === 0 &&
          found.schema.unknownBreaking.length === 0;
        expect(status === "ready").toBe(good);
      }),
    );
  });

  test("READY-2 a process that stops says so, whatever else is wrong", () => {
    expect(readinessOf({ ...healthy, draining: true, databaseReachable: false }).status).toBe("draining");
  });

  test.each([
    ["database", { ...healthy, databaseReachable: false }, /does not answer/],
    ["schema", { ...healthy, schema: { ...current, pending: ["0003_more"] } }, /pending: 0003_more/],
    ["schema", { ...healthy, schema: { ...current, unknownBreaking: ["0009_new"] } }, /breaking.*: 0009_new/],
    ["process", { ...healthy, draining: true }, /draining/],
    ["loops", { ...healthy, loopsAtWork: false }, /no process looks for what is due/],
  ])("READY-3 a check that fails gives its reason: %s", (name, found, reason) => {
    const failed = readinessOf(found).checks.find((check) => check.name === name);
    expect(failed).toMatchObject({ ok: false, reason: expect.stringMatching(reason) });
  });

  test("READY-5 a process that serves is ready without one that looks for what is due, and says that there is none", () => {
    const { status, checks } = readinessOf({ ...healthy, loopsAtWork: false });
    expect(status).toBe("ready");
    expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["loops"]);
    expect(readinessOf({ ...healthy, loopsAtWork: undefined })).toEqual(readinessOf(healthy));
  });

  test("READY-4 a change is a change of what is said", () => {
    fc.assert(
      fc.property(facts, facts, (one, other) => {
        const [first, second] = [readinessOf(one), readinessOf(other)];
        expect(sameReadiness(first, second)).toBe(JSON.stringify(first) === JSON.stringify(second));
      }),
    );
  });
});
