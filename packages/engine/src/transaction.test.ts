import { DatabaseError } from "@signalbox/db";
import { describe, expect, test, vi } from "vitest";
import { isDatabaseAway, reach } from "./transaction.ts";

const coded = (code: string) => Object.assign(new Error("failed"), { code });

describe("a database that is away", () => {
  test.each([
    "57P01",
    "57P03",
    "08006",
    "25P03",
    "25P04",
    "53300",
    "55P03",
    "ECONNREFUSED",
    "ECONNRESET",
    "CONNECTION_CLOSED",
    "EPIPE",
  ])("is told by %s", (code) => expect(isDatabaseAway(coded(code))).toBe(true));

  test.each(["23505", "42P01", "22021", "40001", "ENOENT", ""])("is not told by %j", (code) =>
    expect(isDatabaseAway(coded(code))).toBe(false),
  );

  test("is told by what could not be reached, and not by what was called wrongly", () => {
    expect(isDatabaseAway(new DatabaseError("UNREACHABLE", "no answer"))).toBe(true);
    expect(isDatabaseAway(new DatabaseError("TRANSACTION_NESTED", "nested"))).toBe(false);
    expect(isDatabaseAway("ECONNREFUSED")).toBe(false);
  });

  test("becomes UNAVAILABLE, keeps its cause for the log, and makes the watcher look", async () => {
    const readiness = { look: vi.fn<() => Promise<void>>(() => Promise.resolve()) };
    const cause = coded("ECONNREFUSED");
    await expect(reach({ readiness }, () => Promise.reject(cause))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      cause,
    });
    expect(readiness.look).toHaveBeenCalledTimes(1);
    await expect(reach({ readiness }, () => Promise.reject(coded("23505")))).rejects.toMatchObject({
      code: "23505",
    });
    expect(readiness.look).toHaveBeenCalledTimes(1);
  });
});
