import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ClaimedConfidence, confidenceText, judgeConfidence } from "./confidence.ts";

const claimed = (...confidences: number[]): ClaimedConfidence[] =>
  confidences.map((confidence, turnIndex) => ({ turnIndex, confidence }));
const share = fc.double({ min: 0, max: 1, noNaN: true });
const series = fc.array(share, { maxLength: 12 }).map((confidences) => claimed(...confidences));

describe("SAOP-20", () => {
  test("a turn below the floor is doubted, one at it is not", () => {
    const watch = { floor: 0.4, fallPerTurn: null };
    expect(judgeConfidence(watch, claimed(0.9, 0.4)).kind).toBe("steady");
    const verdict = judgeConfidence(watch, claimed(0.9, 0.39));
    expect(verdict).toEqual({ kind: "below-floor", turnIndex: 1, confidence: 0.39, floor: 0.4 });
  });

  test("one below it tells, wherever it stands: a turn that comes late is one too", () => {
    fc.assert(
      fc.property(series, share, (turns, floor) => {
        const low = turns.some(({ confidence }) => confidence < floor);
        expect(judgeConfidence({ floor, fallPerTurn: null }, turns).kind === "below-floor").toBe(low);
      }),
    );
  });
});

describe("SAOP-21", () => {
  const watch = { floor: null, fallPerTurn: 0.1 };

  test.each([
    ["falls by exactly as much", [0.9, 0.8, 0.7, 0.6, 0.5], "falling"],
    ["falls by less", [0.9, 0.85, 0.8, 0.75, 0.7], "steady"],
    ["falls in all, though it rises once", [0.9, 0.7, 0.75, 0.5, 0.45], "falling"],
    ["is level", [0.2, 0.2, 0.2, 0.2, 0.2], "steady"],
    ["rises", [0.1, 0.3, 0.5, 0.7, 0.9], "steady"],
    ["fell before the last five", [1, 0, 0.5, 0.5, 0.5, 0.5, 0.5], "steady"],
    ["has four turns", [0.9, 0.6, 0.3, 0], "steady"],
  ])("a trend that %s", (_name, confidences, kind) => {
    expect(judgeConfidence(watch, claimed(...confidences)).kind).toBe(kind);
  });

  test("turns that are missing count as turns: the fall is a turn's, not a report's", () => {
    const sparse = claimed(0.9, 0.8, 0.7, 0.6, 0.5).map(({ turnIndex, confidence }) => ({
      turnIndex: turnIndex * 2,
      confidence,
    }));
    expect(judgeConfidence(watch, sparse).kind).toBe("steady");
  });

  test("a line that falls steadily is measured as it is", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 0.25, noNaN: true }), (fall) => {
        const verdict = judgeConfidence(
          { floor: null, fallPerTurn: fall },
          claimed(1, 1 - fall, 1 - 2 * fall, 1 - 3 * fall, 1 - 4 * fall),
        );
        expect(verdict).toMatchObject({ kind: "falling", perTurn: expect.closeTo(-fall, 9) });
      }),
    );
  });
});

describe("SAOP-22", () => {
  test("a template that sets neither watches nothing", () => {
    fc.assert(
      fc.property(series, (turns) => {
        expect(judgeConfidence({ floor: null, fallPerTurn: null }, turns)).toEqual({ kind: "steady" });
      }),
    );
  });

  test("the verdict does not depend on the order in which turns arrive", () => {
    fc.assert(
      fc.property(series, share, share, fc.infiniteStream(fc.nat()), (turns, floor, fallPerTurn, keys) => {
        const shuffled = turns
          .map((turn) => ({ turn, key: keys.next().value ?? 0 }))
          .toSorted((one, other) => one.key - other.key)
          .map(({ turn }) => turn);
        const watch = { floor, fallPerTurn };
        expect(judgeConfidence(watch, shuffled)).toEqual(judgeConfidence(watch, turns));
      }),
    );
  });

  test("a verdict in words names its numbers", () => {
    const low = judgeConfidence({ floor: 0.4, fallPerTurn: null }, claimed(0.25));
    const falling = judgeConfidence({ floor: null, fallPerTurn: 0.1 }, claimed(0.9, 0.8, 0.7, 0.6, 0.5));
    if (low.kind === "steady" || falling.kind === "steady") throw new Error("nothing was doubted");
    expect(confidenceText(low)).toBe("At turn 0 the agent's confidence is 0.25, below the floor of 0.4");
    expect(confidenceText(falling)).toBe(
      "Over its last 5 turns the agent's confidence falls by 0.1 a turn: 0.9, 0.8, 0.7, 0.6, 0.5",
    );
  });
});
