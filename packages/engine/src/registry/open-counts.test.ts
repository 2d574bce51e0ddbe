import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addTo, instanceKey, type OpenCounts, pendingCounts } from "./open-counts.ts";

const one = { packId: "qa", instanceId: "qa-1" };
const other = { packId: "qa", instanceId: "qa-2" };

/** What lanes see at once, and what the database would have. */
function world() {
  const seen: OpenCounts = new Map();
  const pending = pendingCounts(({ ref, change }) => addTo(seen, instanceKey(ref), change));
  return { seen, pending };
}

describe("counts of a transaction", () => {
  test("are seen at once, and stay when it commits", () => {
    const { seen, pending } = world();
    const counts = pending.begin();
    counts.dispatched("north", one);
    counts.dispatched("north", one);
    expect(seen.get(instanceKey(one))).toBe(2);
    expect(pending.onTop("north", new Map()).get(instanceKey(one))).toBe(2);
    counts.committed();
    expect(seen.get(instanceKey(one))).toBe(2);
    expect(pending.onTop("north", new Map([[instanceKey(one), 2]]))).toEqual(
      new Map([[instanceKey(one), 2]]),
    );
  });

  test("are taken back when it fails", () => {
    const { seen, pending } = world();
    const counts = pending.begin();
    counts.dispatched("north", one);
    counts.ended("north", other);
    counts.undone();
    expect(seen).toEqual(new Map());
    expect(pending.onTop("north", new Map([[instanceKey(other), 1]]))).toEqual(
      new Map([[instanceKey(other), 1]]),
    );
  });

  test("tell when a look at the database is exact", () => {
    const { pending } = world();
    expect(pending.quietMark("north")).toBe(0);
    const counts = pending.begin();
    expect(pending.quietMark("north")).toBe(0);
    counts.dispatched("north", one);
    expect(pending.quietMark("north")).toBeUndefined();
    expect(pending.quietMark("south")).toBe(0);
    counts.committed();
    expect(pending.quietMark("north")).toBe(1);
  });

  test("of a tenant are forgotten only when nothing is under way", () => {
    const { pending } = world();
    const counts = pending.begin();
    counts.dispatched("north", one);
    pending.drop("north");
    expect(pending.onTop("north", new Map())).toEqual(new Map([[instanceKey(one), 1]]));
    counts.committed();
    expect(pending.quietMark("north")).toBe(1);
    pending.drop("north");
    expect(pending.quietMark("north")).toBe(0);
  });

  test("property: what is seen is what committed and what is under way, in any order", () => {
    const transaction = fc.record({
      deltas: fc.array(fc.tuple(fc.constantFrom(one, other), fc.boolean()), { maxLength: 6 }),
      end: fc.constantFrom("committed", "undone", "open"),
    });
    fc.assert(
      fc.property(fc.array(transaction, { maxLength: 8 }), (transactions) => {
        const { seen, pending } = world();
        const stored: OpenCounts = new Map();
        const begun = transactions.map((own) => ({ own, counts: pending.begin() }));
        for (const { own, counts } of begun)
          for (const [ref, more] of own.deltas)
            if (more) counts.dispatched("north", ref);
            else counts.ended("north", ref);
        for (const { own, counts } of begun.toReversed()) {
          if (own.end === "undone") counts.undone();
          if (own.end !== "committed") continue;
          for (const [ref, more] of own.deltas) addTo(stored, instanceKey(ref), more ? 1 : -1);
          counts.committed();
        }
        expect(seen).toEqual(pending.onTop("north", stored));
        const isQuiet = transactions.every(({ deltas, end }) => end !== "open" || deltas.length === 0);
        expect(pending.quietMark("north") !== undefined).toBe(isQuiet);
      }),
    );
  });
});
