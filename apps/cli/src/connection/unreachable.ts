import { CommandFailure } from "../failure.ts";

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ENOTFOUND: "there is no host of that name",
  EAI_AGAIN: "the name of the host cannot be looked up now",
  ECONNRESET: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  ETIMEDOUT: "the host does not answer",
  UND_ERR_CONNECT_TIMEOUT: "the host does not answer",
  EHOSTUNREACH: "the host cannot be reached",
  ENETUNREACH: "the network cannot be reached",
  TimeoutError: "it did not answer in time",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is signed by nobody known here",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak https",
};

/** With these it may have arrived all the same. */
const cutOff: ReadonlySet<string> = new Set(["ECONNRESET", "UND_ERR_SOCKET", "ETIMEDOUT", "TimeoutError"]);

/** Why nothing came back, in words: what fetch throws says only that it failed. */
export function unreachableFailure(error: unknown, url: URL): CommandFailure {
  const code = codesOf(error).find((one) => Object.hasOwn(reasons, one));
  const reason = code === undefined ? textOf(error) : reasons[code];
  return new CommandFailure("unreachable", `Signalbox is not reached at ${url.origin}: ${reason}.`, {
    cause: error,
    unanswered: code !== undefined && cutOff.has(code),
    hints: ["`npm start` runs a server; SIGNALBOX_URL or --url says where it is."],
  });
}

/** Of an error, its causes, and the attempts that failed together. */
function codesOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 4) return [];
  const own = [error.name, "code" in error ? String(error.code) : ""];
  const attempts: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [...own, ...[error.cause, ...attempts].flatMap((inner) => codesOf(inner, depth + 1))];
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
