import type { FastifyBaseLogger } from "fastify";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { requestLog } from "./request-log.ts";

/** Keeps its lines, and counts the loggers that were made of it. */
function keptLog(level: string) {
  const lines: unknown[] = [];
  const made: unknown[] = [];
  const logOf = (bindings: object, own: string): FastifyBaseLogger => {
    const write =
      (name: string) =>
      (first: unknown, text?: unknown): void => {
        const facts = first instanceof Error ? { err: first } : typeof first === "object" ? first : {};
        lines.push({ level: name, ...bindings, ...facts, msg: typeof first === "string" ? first : text });
      };
    return {
      level: own,
      fatal: write("fatal"),
      error: write("error"),
      warn: write("warn"),
      info: write("info"),
      debug: write("debug"),
      trace: write("trace"),
      silent: () => undefined,
      child: (more, options) => {
        made.push(more);
        return logOf({ ...bindings, ...more }, options?.level ?? own);
      },
    };
  };
  return { lines, made, log: logOf({}, level) };
}

const logOf = (log: FastifyBaseLogger, level?: string) => {
  const app = fastify({ logger: false });
  return requestLog.call(
    app,
    log,
    { requestId: "r-1" },
    level === undefined ? {} : { level },
    app.server as never,
  );
};

test("a line says whose request it is, without a logger made for it", () => {
  const { lines, made, log } = keptLog("info");
  const own = logOf(log);
  own.info({ status: 200 }, "request");
  own.error({ err: "gone" }, "request failed");
  expect(lines).toEqual([
    { level: "info", requestId: "r-1", status: 200, msg: "request" },
    { level: "error", requestId: "r-1", err: "gone", msg: "request failed" },
  ]);
  expect(made).toEqual([]);
});

test("what is no facts and a text is written by a logger of the request's own", () => {
  const { lines, log } = keptLog("trace");
  const own = logOf(log);
  const thrown = new Error("gone");
  own.warn("words alone");
  own.fatal(thrown);
  own.child({ stream: 1 }).debug({ at: 2 }, "further on");
  expect(lines).toEqual([
    { level: "warn", requestId: "r-1", msg: "words alone" },
    { level: "fatal", requestId: "r-1", err: thrown, msg: undefined },
    { level: "debug", requestId: "r-1", stream: 1, at: 2, msg: "further on" },
  ]);
});

test.each([
  ["trace", ["trace", "debug", "info", "warn", "error", "fatal"]],
  ["info", ["info", "warn", "error", "fatal"]],
  ["error", ["error", "fatal"]],
  ["silent", []],
])("below the level %s nothing is written", (level, written) => {
  const { lines, log } = keptLog(level);
  const own = logOf(log);
  expect(own.level).toBe(level);
  for (const name of ["trace", "debug", "info", "warn", "error", "fatal"] as const) own[name]({}, "said");
  own.silent({}, "said");
  expect(lines).toEqual(written.map((name) => ({ level: name, requestId: "r-1", msg: "said" })));
});

test("a route with a level of its own has a logger of its own", () => {
  const { made, log } = keptLog("info");
  expect(logOf(log, "warn").level).toBe("warn");
  expect(made).toEqual([{ requestId: "r-1" }]);
});
