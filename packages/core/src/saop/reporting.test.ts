import { describe, expect, test } from "vitest";
import { TRAILING_MS } from "./limits.ts";
import { judgeReporting, type KnownDispatch } from "./reporting.ts";

const now = 1_000_000_000;
const over: KnownDispatch = { open: false, countedAt: null, attemptNumber: 2, stageAttempt: 2 };

describe("SAOP-2", () => {
  test("an open dispatch is reported on", () => {
    expect(judgeReporting({ ...over, open: true }, now)).toBe("taken");
  });

  test("what trails behind a result that counted is taken for ten minutes, and no longer", () => {
    expect(judgeReporting({ ...over, countedAt: now }, now)).toBe("taken");
    expect(judgeReporting({ ...over, countedAt: now - TRAILING_MS }, now)).toBe("taken");
    expect(judgeReporting({ ...over, countedAt: now - TRAILING_MS - 1 }, now)).toBe("stale");
  });
});

describe("SAOP-3", () => {
  test("a dispatch that ended without a result is over", () => {
    expect(judgeReporting(over, now)).toBe("stale");
  });

  test("one whose stage has begun another attempt is over, whatever it reported", () => {
    expect(judgeReporting({ ...over, countedAt: now, stageAttempt: 3 }, now)).toBe("stale");
  });
});
