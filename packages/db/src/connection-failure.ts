import { DrizzleQueryError } from "drizzle-orm";
import { DatabaseError } from "./database-error.ts";
import { describeDatabaseUrl } from "./database-url.ts";

/** The driver's error without drizzle's wrapping, whose message repeats every parameter. */
export function unwrapped(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? error) : error;
}

/** The server's SQLSTATE or the driver's own code. */
export function errorCode(error: unknown): string | undefined {
  const inner = unwrapped(error);
  return inner instanceof Error && "code" in inner && typeof inner.code === "string" ? inner.code : undefined;
}

const UNREACHABLE = new Set([
  "ANSWER_TIMEOUT",
  "CONNECT_TIMEOUT",
  "ECONNREFUSED",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "ETIMEDOUT",
]);

/**
 * What a caller may see of a failure: a connection that could not be opened names DATABASE_URL and what to check,
 * any other failure is the driver's own.
 */
export function explainFailure(error: unknown, url: string): unknown {
  const inner = unwrapped(error);
  const code = errorCode(inner);
  const where = `DATABASE_URL (${describeDatabaseUrl(url)})`;
  if (code === "28P01" || code === "28000") {
    return new DatabaseError("ACCESS_DENIED", `${where}: the server refused this login or its password.`, {
      cause: inner,
    });
  }
  if (code === "3D000") {
    return new DatabaseError("DATABASE_MISSING", `${where}: no such database. Create it, or name another.`, {
      cause: inner,
    });
  }
  if (code !== undefined && UNREACHABLE.has(code)) {
    return new DatabaseError(
      "UNREACHABLE",
      `${where}: no answer (${code}). Is the server running, and are host and port right?`,
      { cause: inner },
    );
  }
  return inner;
}
