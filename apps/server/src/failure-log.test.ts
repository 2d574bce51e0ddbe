import { SignalboxError } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { failureLog } from "./failure-log.ts";

const refused = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });

/** What is logged, and whether the watcher was asked to look. */
function failing(error: unknown, isDatabaseThere: boolean) {
  const lines: string[] = [];
  let looked = false;
  const note = (level: string) => (line: object, message: string) => {
    lines.push(`${level}: ${message} (${Object.keys(line).join()})`);
  };
  const log = { debug: note("debug"), warn: note("warn"), error: note("error") };
  failureLog(log as never, {
    current: () => ({
      status: isDatabaseThere ? "ready" : "degraded",
      checks: [{ name: "database", ok: isDatabaseThere }],
      at: new Date(0),
    }),
    look: async () => {
      looked = true;
    },
  })(error, "counting what waits");
  return { lines, looked };
}

test("once it is known that the database is lost, a loop that meets it is no news", () => {
  expect(failing(refused, false).lines).toEqual(["debug: counting what waits failed (reason)"]);
});

test("before, it is said without a stack, and looked at", () => {
  const away = new SignalboxError("UNAVAILABLE", "The database does not answer.", { cause: refused });
  expect(failing(away, true)).toEqual({ lines: ["warn: counting what waits failed (reason)"], looked: true });
});

test("what else fails is told in full, also while the database is lost", () => {
  expect(failing(new Error("a fault"), false)).toEqual({
    lines: ["error: counting what waits failed (err)"],
    looked: false,
  });
});
