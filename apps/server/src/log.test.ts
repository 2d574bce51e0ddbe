import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createLog } from "./log.ts";

function written(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog({ level: "trace" }, { write: (line) => lines.push(line) }));
  return lines.join("");
}

describe("the log", () => {
  test("an error is its own words, without what a driver hangs on it", () => {
    const cause = Object.assign(new Error("connection refused"), { code: "ECONNREFUSED" });
    const failure = Object.assign(new Error("query failed", { cause }), {
      code: "08006",
      query: "select * from keys where hash = $1",
      parameters: ["hunter2"],
    });
    const line = written((log) => log.error({ err: failure }, "request failed"));
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      err: {
        message: "query failed",
        code: "08006",
        cause: { message: "connection refused", code: "ECONNREFUSED" },
      },
    });
    expect(line).not.toContain("hunter2");
    expect(line).not.toContain("select");
  });

  test("a cause that leads back to itself ends", () => {
    const failure = new Error("round");
    failure.cause = failure;
    expect(JSON.parse(written((log) => log.error({ err: failure })))).toMatchObject({
      err: { message: "round" },
    });
  });

  test("what goes by a secret's name is masked, two levels deep", () => {
    const names = fc.constantFrom("authorization", "cookie", "set-cookie", "token", "key", "password");
    fc.assert(
      fc.property(names, fc.constantFrom(0, 1, 2), (name, depth) => {
        let entry: object = { [name]: "hunter2hunter2" };
        for (let level = 0; level < depth; level += 1) entry = { inner: entry };
        expect(written((log) => log.info(entry))).not.toContain("hunter2");
      }),
    );
  });

  test("D21 a secret is masked wherever it stands in a line: in the message, an error's words, or a field", () => {
    const secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const line = written((log) =>
      log.warn(
        { err: new Error(`push with ${secret} failed`), url: `https://x/?t=${secret}` },
        `saw ${secret}`,
      ),
    );
    expect(line).not.toContain(secret);
    expect(JSON.parse(line)).toMatchObject({ level: "warn", msg: expect.stringContaining("[redacted:") });
  });

  test("D21 a line that cannot be masked is withheld, and the log says so", () => {
    let entry: object = {};
    for (let depth = 0; depth < 2_000; depth += 1) entry = { entry };
    const line = written((log) => log.info({ entry, password: "hunter2hunter2" }));
    expect(JSON.parse(line)).toMatchObject({
      level: "error",
      msg: "a line could not be redacted and is withheld",
    });
  });
});
