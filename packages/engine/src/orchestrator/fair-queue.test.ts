import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairQueue } from "./fair-queue.ts";

test("a tenant's burst does not keep another's single item out of the next batch", () => {
  const queue = createFairQueue<string>();
  for (let index = 0; index < 1000; index += 1) queue.push("loud", `loud-${index}`);
  queue.push("quiet", "quiet-0");
  expect(queue.take(100)).toContain("quiet-0");
});

test("where many tenants have much, a batch has few of them, and each has its turn before any has a second", () => {
  const queue = createFairQueue<string>();
  for (let item = 0; item < 10; item += 1)
    for (let tenant = 0; tenant < 200; tenant += 1) queue.push(`${tenant}`, `${tenant}`);
  const turns = Array.from({ length: 8 }, () => new Set(queue.take(100)));
  expect(turns.map(({ size }) => size)).toEqual(Array(8).fill(25));
  expect(new Set(turns.flatMap((turn) => Array.from(turn))).size).toBe(200);
});

test("nothing is lost or doubled, and a tenant's own order is kept, whatever the turns", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          tenant: fc.constantFrom("a", "b", "c"),
          take: fc.option(fc.integer({ min: 1, max: 7 })),
        }),
      ),
      (steps) => {
        const queue = createFairQueue<{ tenant: string; serial: number }>();
        const taken: { tenant: string; serial: number }[] = [];
        let beyond = 0;
        for (const [serial, { tenant, take }] of steps.entries()) {
          queue.push(tenant, { tenant, serial });
          if (take !== null) {
            const batch = queue.take(take);
            beyond = Math.max(beyond, batch.length - take);
            taken.push(...batch);
          }
        }
        expect(beyond).toBe(0);
        while (queue.size > 0) taken.push(...queue.take(5));
        expect(taken.map(({ serial }) => serial).toSorted((one, other) => one - other)).toEqual(
          steps.map((_, at) => at),
        );
        for (const tenant of ["a", "b", "c"]) {
          const serials = taken.filter((item) => item.tenant === tenant).map(({ serial }) => serial);
          expect(serials).toEqual(serials.toSorted((one, other) => one - other));
        }
      },
    ),
  );
});
