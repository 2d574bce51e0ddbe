import fc from "fast-check";
import { expect, test } from "vitest";
import { dispatchIdOf, escalationIdOf, idempotencyKeyOf, readDispatchId, readEscalationId } from "./ids.ts";

const pipelineId = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,35}$/);

test("ID-1, ID-3: a dispatch id gives back the place it was made from", () => {
  fc.assert(
    fc.property(
      pipelineId,
      fc.nat(255),
      fc.integer({ min: 1, max: 999_999 }),
      (pipeline, stageOrder, attemptNumber) => {
        const place = { pipelineId: pipeline, stageOrder, attemptNumber };
        expect(readDispatchId(dispatchIdOf(place))).toEqual(place);
      },
    ),
  );
});

test("ESC-2, ID-3: an escalation id gives back its pipeline and number", () => {
  fc.assert(
    fc.property(pipelineId, fc.integer({ min: 1, max: 999_999 }), (pipeline, number) => {
      const place = { pipelineId: pipeline, number };
      expect(readEscalationId(escalationIdOf(place))).toEqual(place);
    }),
  );
});

test.for([
  "",
  "x",
  "-d0.1",
  "p-d0.0",
  "p-d01.1",
  "p-d1.01",
  "p-d1",
  "p-d1.1\n",
  "p q-d1.1",
  `${"p".repeat(65)}-d1.1`,
])("ID-3: %j names no dispatch", (text) => {
  expect(readDispatchId(text)).toBeUndefined();
});

test("ID-2: attempts of a stage share the idempotency key, stages do not", () => {
  expect(idempotencyKeyOf("p", "a")).toBe("p/a");
  expect(idempotencyKeyOf("p", "a")).not.toBe(idempotencyKeyOf("p", "b"));
});
