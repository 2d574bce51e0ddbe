import { DatabaseError } from "./database-error.ts";

/** Parses a `postgres://` URL and refuses what would otherwise fall back to the driver's environment and defaults. */
export function parseDatabaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["postgres:", "postgresql:"].includes(url.protocol)) {
    throw new DatabaseError(
      "MALFORMED_URL",
      "DATABASE_URL is not a Postgres address. Allowed: postgres://login:password@host:port/database",
    );
  }
  decoded("password", url.password);
  for (const [part, value] of [
    ["login", url.username],
    ["host", url.hostname],
    ["database", url.pathname.slice(1)],
  ] as const) {
    if (decoded(part, value) === "") {
      throw new DatabaseError(
        "MALFORMED_URL",
        `DATABASE_URL names no ${part}. Allowed: postgres://login:password@host:port/database`,
      );
    }
  }
  return url;
}

/** The driver decodes each part too, and its URIError names neither the setting nor the fault. */
function decoded(part: string, value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new DatabaseError(
      "MALFORMED_URL",
      `DATABASE_URL holds a % in its ${part} that begins no escape of two hexadecimal digits in UTF-8. A % itself must be written %25.`,
    );
  }
}

export function passwordOf(text: string): string {
  return decoded("password", parseDatabaseUrl(text).password);
}

/** The address as it may stand in a message or a log. */
export function describeDatabaseUrl(text: string): string {
  const url = parseDatabaseUrl(text);
  return `${url.hostname}:${url.port || "5432"}${url.pathname} as ${decoded("login", url.username)}`;
}

export function withCredentials(text: string, login: string, password: string): string {
  const url = parseDatabaseUrl(text);
  url.username = encodeURIComponent(login);
  url.password = encodeURIComponent(password);
  return url.href;
}

export function withDatabase(text: string, database: string): string {
  const url = parseDatabaseUrl(text);
  if (database === "." || database === "..") {
    throw new DatabaseError(
      "MALFORMED_URL",
      `The database "${database}" cannot stand in an address: a URL takes "." and ".." for steps of a path.`,
    );
  }
  url.pathname = `/${encodeURIComponent(database)}`;
  return url.href;
}
