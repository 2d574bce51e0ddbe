import type { FastifyBaseLogger, FastifyServerOptions } from "fastify";

type Level = "fatal" | "error" | "warn" | "info" | "debug" | "trace";
type Bindings = Parameters<FastifyBaseLogger["child"]>[0];

const ranks: Readonly<Record<string, number>> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Infinity,
};
const rankOf = (level: string): number => ranks[level] ?? 0;

/**
 * The request's own logger prints its bindings and looks through them for secrets when it is made, which for nearly every
 * request was for one line or none: here they go with the line.
 */
class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Bindings;

  constructor(parent: FastifyBaseLogger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }
  set level(_level: string) {
    throw new TypeError("a request's log has the level of the process");
  }

  fatal(...line: unknown[]): void {
    this.#write("fatal", line);
  }
  error(...line: unknown[]): void {
    this.#write("error", line);
  }
  warn(...line: unknown[]): void {
    this.#write("warn", line);
  }
  info(...line: unknown[]): void {
    this.#write("info", line);
  }
  debug(...line: unknown[]): void {
    this.#write("debug", line);
  }
  trace(...line: unknown[]): void {
    this.#write("trace", line);
  }
  silent(): void {
    // As its name says.
  }
  child(...given: Parameters<FastifyBaseLogger["child"]>): FastifyBaseLogger {
    return this.#parent.child(this.#bindings).child(...given);
  }

  #write(level: Level, line: readonly unknown[]): void {
    if (rankOf(level) < rankOf(this.#parent.level)) return;
    const [first, ...rest] = line;
    const hasFacts = typeof first === "object" && first !== null && !(first instanceof Error);
    const log = hasFacts ? this.#parent : this.#parent.child(this.#bindings);
    Reflect.apply(log[level], log, hasFacts ? [{ ...this.#bindings, ...first }, ...rest] : line);
  }
}

/** A route with a level or serializers of its own has a logger of its own. */
export const requestLog: NonNullable<FastifyServerOptions["childLoggerFactory"]> = (
  parent,
  bindings,
  options,
) =>
  options.level === undefined && options.serializers === undefined
    ? new RequestLog(parent, bindings)
    : parent.child(bindings, options);
