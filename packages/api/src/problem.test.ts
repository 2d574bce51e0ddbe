import { SignalboxError } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { noteRefusal, readError } from "./problem.ts";

/** As Node throws them when a request's sender leaves in the middle of it, over HTTP/1.1 and over HTTP/2. */
test.each(["ECONNRESET", "ERR_STREAM_PREMATURE_CLOSE"])(
  "%s is the caller's fault, and no error of ours",
  (code) => {
    const thrown = Object.assign(new Error("Premature close"), { code });
    expect(readError(thrown)).toMatchObject({ code: "MALFORMED_BODY", cause: thrown });
  },
);

test("what nobody foresaw is ours", () => {
  expect(readError(new Error("a fault")).code).toBe("INTERNAL");
});

const noted = (error: SignalboxError) => {
  const lines: [level: string, line: object, message: string][] = [];
  const log = Object.fromEntries(
    ["debug", "warn", "error"].map((level) => [
      level,
      (line: object, message: string) => lines.push([level, line, message]),
    ]),
  );
  noteRefusal(log as never, error, "request");
  return lines[0];
};

test("what is refused on purpose is no error in the log; what nobody foresaw is one", () => {
  const levels = [
    new SignalboxError("UNAVAILABLE", "The process is stopping."),
    new SignalboxError("DEADLINE_EXCEEDED", "It is over."),
    new SignalboxError("NOT_FOUND", "There is none."),
    new SignalboxError("UNAVAILABLE", "It is away.", { cause: new Error("lost") }),
    readError(new Error("a fault")),
  ].map((error) => noted(error)?.[0]);
  expect(levels).toEqual(["debug", "debug", "debug", "error", "error"]);
});

test("of a database that is away a request has the reason, without a stack", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  expect(noted(new SignalboxError("UNAVAILABLE", "The database does not answer.", { cause }))).toEqual([
    "warn",
    { code: "UNAVAILABLE", reason: "connect ECONNREFUSED" },
    "request refused",
  ]);
});
