import * as fc from "fast-check";
import { SignalboxError } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { answerBody, resolutionOf } from "./resolution.ts";

const comment = "because";

function fieldsRefused(body: Parameters<typeof resolutionOf>[0]): string[] {
  try {
    resolutionOf(body);
    return [];
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    return error.violations.map(({ field }) => field);
  }
}

test.each([
  [{ option: "retry" }, { option: "retry", instructions: "" }],
  [
    { option: "retry", instructions: "slowly" },
    { option: "retry", instructions: "slowly" },
  ],
  [
    { option: "rewind", stageId: "build" },
    { option: "rewind", stageId: "build", instructions: "" },
  ],
  [
    { option: "answer", answer: "yes" },
    { option: "answer", answer: "yes" },
  ],
  [
    { option: "extend", extendBy: "1h30m" },
    { option: "extend", byMs: 5_400_000 },
  ],
  [{ option: "advance" }, { option: "advance" }],
] as const)("%j says %j", (body, resolution) => {
  expect(resolutionOf({ ...body, comment })).toEqual(resolution);
});

const options = answerBody.shape.option.options;
const allParts = { instructions: "i", stageId: "s", answer: "a", extendBy: "30m" };

test("of all parts at once each option keeps its own and names the others", () => {
  const kept = options.map((option) => {
    const refused = fieldsRefused({ option, comment, ...allParts });
    return [option, Object.keys(allParts).filter((part) => !refused.includes(part))];
  });
  expect(Object.fromEntries(kept)).toEqual({
    retry: ["instructions"],
    rewind: ["instructions", "stageId"],
    answer: ["answer"],
    extend: ["extendBy"],
    advance: [],
    skip: [],
    accept: [],
    restore: [],
    resume: [],
    abort: [],
  });
});

test("an option is either whole or refused, whatever is given", () => {
  const part = fc.option(fc.constantFrom("", "a", "30m", "5 minutes", "0s"), { nil: undefined });
  const body = fc.record(
    { option: fc.constantFrom(...options), instructions: part, stageId: part, answer: part, extendBy: part },
    { requiredKeys: ["option"] },
  );
  fc.assert(
    fc.property(body, (given) => {
      const refused = fieldsRefused({ comment, ...given });
      if (refused.length > 0) return new Set(refused).size === refused.length;
      const resolution = resolutionOf({ comment, ...given });
      return resolution.option !== "extend" || resolution.byMs > 0;
    }),
  );
});
