import { SignalboxError } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { isOurs, readError } from "./problem.ts";

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

test("what is refused on purpose is no error in the log; what is away is one", () => {
  expect(isOurs(new SignalboxError("UNAVAILABLE", "The process is stopping."))).toBe(false);
  expect(isOurs(new SignalboxError("UNAVAILABLE", "It is away.", { cause: new Error("lost") }))).toBe(true);
  expect(isOurs(new SignalboxError("DEADLINE_EXCEEDED", "It is over."))).toBe(false);
  expect(isOurs(new SignalboxError("NOT_FOUND", "There is none."))).toBe(false);
  expect(isOurs(readError(new Error("a fault")))).toBe(true);
});
