import * as fc from "fast-check";
import { expect, test } from "vitest";
import { mayWait } from "./may-wait.ts";

const fill = (tenants: readonly string[], most: number) => {
  const own = Object.fromEntries(tenants.map((tenant) => [tenant, 0]));
  let all = 0;
  for (let asked = 0; asked < most; asked += 1) {
    for (const tenant of tenants) {
      if (!mayWait({ own: own[tenant] ?? 0, all, most })) continue;
      own[tenant] = (own[tenant] ?? 0) + 1;
      all += 1;
    }
  }
  return own;
};

test("LIMIT-5 a tenant alone gets half of the queue, and two that press a third each", () => {
  expect(fill(["loud"], 20_000)).toEqual({ loud: 10_000 });
  expect(fill(["loud", "louder"], 20_001)).toEqual({ loud: 6_667, louder: 6_667 });
});

test("LIMIT-5 property: whatever five others do, who has nothing waiting is let in", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 32, max: 500 }),
      fc.array(fc.tuple(fc.nat(4), fc.boolean()), { maxLength: 2_000 }),
      (most, steps) => {
        const own = new Map<number, number>();
        let all = 0;
        for (const [tenant, leaves] of steps) {
          const held = own.get(tenant) ?? 0;
          if (leaves && held > 0) {
            own.set(tenant, held - 1);
            all -= 1;
          } else if (!leaves && mayWait({ own: held, all, most })) {
            own.set(tenant, held + 1);
            all += 1;
          }
          expect(all).toBeLessThan(most);
          expect(mayWait({ own: 0, all, most })).toBe(true);
        }
      },
    ),
  );
});
