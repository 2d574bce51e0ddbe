import fc from "fast-check";
import { expect, test } from "vitest";
import { printBreakerState, readBreakerState } from "./breaker-json.ts";

const at = fc.integer({ min: 0, max: 4e12 });
const states = fc.oneof(
  fc.record({ kind: fc.constant("closed" as const), failures: fc.array(at) }),
  fc.record({ kind: fc.constant("open" as const), openedAt: at }),
  fc.record({ kind: fc.constant("probing" as const), openedAt: at, dispatchId: fc.string() }),
);

test("INST-5 a breaker that is kept and read is the same breaker", () => {
  fc.assert(
    fc.property(states, (state) => {
      expect(readBreakerState(printBreakerState(state))).toEqual(state);
    }),
  );
});

test.each([
  ["{}", /discriminator/],
  ['{"kind":"ajar"}', /discriminator/],
  ['{"kind":"open"}', /openedAt/],
  ["null", /expected object/],
  ["no json", /JSON/],
])("INST-5 what is no breaker is not read as one: %s", (text, message) => {
  expect(() => readBreakerState(text)).toThrow(message);
});
