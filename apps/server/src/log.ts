import { compileRedactor, redact } from "@signalbox/core";
import { pino, type Logger } from "pino";
import pretty from "pino-pretty";
import type { Config } from "./config.ts";

type Written = { write(line: string): void };

/** An error's own words and no more: the database's driver hangs statements and parameters on its errors. */
function describeError(thrown: unknown, depth = 0): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  return {
    type: name,
    message,
    stack,
    ...("code" in thrown ? { code: thrown.code } : {}),
    ...(cause === undefined || depth > 3 ? {} : { cause: describeError(cause, depth + 1) }),
  };
}

/** A second line of defence: no line is written with these on purpose. */
const secretPaths = ["authorization", "cookie", "set-cookie", "token", "key", "password"].flatMap((name) => [
  `["${name}"]`,
  `*["${name}"]`,
  `*.*["${name}"]`,
]);

const redactor = compileRedactor();

/** D21: a line is masked before it is written, and one that cannot be masked is withheld, which is said instead. */
function maskLine(line: string): string {
  try {
    return `${JSON.stringify(redact(redactor, JSON.parse(line), { root: "log" }).value)}\n`;
  } catch {
    const time = new Date().toISOString();
    return `${JSON.stringify({ level: "error", time, msg: "a line could not be redacted and is withheld" })}\n`;
  }
}

export function createLog({ level }: Pick<Config["log"], "level">, destination: Written): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (thrown: unknown) => describeError(thrown) },
      redact: { paths: secretPaths, censor: "[redacted]" },
    },
    { write: (line: string) => destination.write(maskLine(line)) },
  );
}

/** Standard error: standard output is for the one block that people read. Synchronous, so that no last line is lost. */
export function logDestination({ format }: Pick<Config["log"], "format">, isTerminal: boolean): Written {
  if (format === "pretty" || (format === "auto" && isTerminal)) {
    return pretty({
      destination: 2,
      sync: true,
      colorize: isTerminal,
      ignore: "pid,hostname",
      translateTime: "HH:MM:ss",
    });
  }
  const destination = pino.destination({ fd: 2, sync: true });
  // The terminal may be gone while the process still stops in order.
  destination.on("error", () => undefined);
  return destination;
}
