import { type ErrorCode, isErrorCode, SignalboxError, type Violation } from "@signalbox/contracts";

/** Where Signalbox is, and who asks. */
export type Connection = {
  /** Such as `http://127.0.0.1:7400`. */
  readonly url: string | URL;
  readonly key: string;
  /** Instead of the global one: for a proxy, for certificates of one's own, or for a test. */
  readonly fetch?: typeof globalThis.fetch;
};

export type Asked = {
  readonly path: string;
  /** What is sent as JSON; without it, and without bytes, it is a GET. */
  readonly body?: unknown;
  readonly bytes?: { readonly content: Uint8Array; readonly mediaType: string };
  /** What a signed link leads to is asked for without the key. */
  readonly withoutKey?: true;
  /** Names the request, so that it is carried out once however often it is sent. */
  readonly once?: string;
  /** How long an answer is waited for. */
  readonly withinMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type Answered = {
  readonly status: number;
  readonly text: string;
  /** The server's clock, which is what its times are to be held against: this process's own may be wrong. */
  readonly serverTime: number | undefined;
};

/** What is known of a refusal beside its code; stands in the `cause` of the error. */
export class RefusedAnswer extends Error {
  override readonly name = "RefusedAnswer";
  readonly status: number;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(answer: Response) {
    super(`HTTP ${answer.status}`);
    this.status = answer.status;
    this.requestId = answer.headers.get("x-request-id") ?? undefined;
    this.retryAfterMs = readRetryAfter(answer.headers.get("retry-after"), answer.headers.get("date"));
  }
}

/** RFC 9110 §10.2.3: seconds, or a date, which is held against the sender's own clock. */
export function readRetryAfter(text: string | null, date: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\s*\d+\s*$/.test(text)) return Number(text) * 1_000;
  const until = Date.parse(text);
  const now = Date.parse(date ?? "");
  if (!/[a-z]/i.test(text) || Number.isNaN(until)) return undefined;
  return Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}

/** One request, and its answer as text. */
export const request = (connection: Connection, asked: Asked): Promise<Answered> =>
  exchange(connection, asked, async (answer) => {
    const time = Date.parse(answer.headers.get("date") ?? "");
    return {
      status: answer.status,
      text: await answer.text(),
      serverTime: Number.isNaN(time) ? undefined : time,
    };
  });

/** One request, and its answer as it came. */
export const requestBytes = (connection: Connection, asked: Asked): Promise<Uint8Array> =>
  exchange(connection, asked, async (answer) => new Uint8Array(await answer.arrayBuffer()));

/** Whatever goes wrong is a SignalboxError; whoever calls it off gets the signal's own reason. */
async function exchange<T>(
  connection: Connection,
  asked: Asked,
  read: (answer: Response) => Promise<T>,
): Promise<T> {
  const { signal, withinMs } = asked;
  signal?.throwIfAborted();
  const prepared = prepare(connection, asked);
  const over = new AbortController();
  const callOff = () => over.abort(signal?.reason);
  signal?.addEventListener("abort", callOff, { once: true });
  const timer = setTimeout(() => over.abort(noAnswer(asked)), withinMs);
  try {
    const answer = await (connection.fetch ?? globalThis.fetch)(prepared.address, {
      ...prepared.init,
      // The key is for this address and no other.
      redirect: "error",
      signal: over.signal,
    });
    if (!answer.ok) throw refusalOf(answer, await answer.text());
    return await read(answer);
  } catch (thrown) {
    if (thrown instanceof SignalboxError) throw thrown;
    if (over.signal.aborted) throw over.signal.reason;
    throw new SignalboxError("UNAVAILABLE", `${asked.path}: ${reasonOf(thrown)}`, { cause: thrown });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", callOff);
  }
}

/** What can never be sent is a fault of its own; taken for a server that is away, it would be tried for ever. */
function prepare({ url, key }: Connection, { path, body, bytes, withoutKey, once }: Asked) {
  const sent = bytes ? new Uint8Array(bytes.content) : body === undefined ? undefined : jsonOf(body, path);
  const headers = {
    ...(withoutKey ? {} : { authorization: `Bearer ${key}` }),
    ...(sent === undefined ? {} : { "content-type": bytes?.mediaType ?? "application/json" }),
    accept: withoutKey ? "*/*" : "application/json",
    ...(once === undefined ? {} : { "idempotency-key": once }),
  };
  if (!URL.canParse(path, String(url)))
    throw unusable("url", "an address such as http://127.0.0.1:7400 is allowed");
  // The platform's own words would repeat the key.
  if (!withoutKey && !/^[\x21-\x7e]+$/.test(key))
    throw unusable("key", "one line of letters, digits and . _ ~ + / = - is allowed");
  return {
    address: new URL(path, url),
    init: {
      method: sent === undefined ? "GET" : "POST",
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    },
  };
}

function jsonOf(body: unknown, path: string): string {
  try {
    return JSON.stringify(body);
  } catch (cause) {
    throw new SignalboxError("VALIDATION_FAILED", `${path}: JSON cannot say it: ${reasonOf(cause)}`, {
      cause,
    });
  }
}

const unusable = (setting: "url" | "key", allowed: string) =>
  new SignalboxError("VALIDATION_FAILED", `The setting ${setting} cannot be used: ${allowed}`);

const noAnswer = ({ path, withinMs }: Asked) =>
  new SignalboxError("UNAVAILABLE", `${path}: no answer within ${Math.round(withinMs / 1_000)} seconds`);

/** fetch says "fetch failed" and keeps why in the cause. */
function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const { cause } = thrown;
  return cause instanceof Error && cause.message !== ""
    ? `${thrown.message}: ${cause.message}`
    : thrown.message;
}

/** A proxy answers in words of its own: then the status is all that is known. */
function refusalOf(answer: Response, text: string): SignalboxError {
  const cause = new RefusedAnswer(answer);
  const problem = problemOf(text);
  if (problem !== undefined) return new SignalboxError(problem.code, problem.detail, { ...problem, cause });
  return new SignalboxError(
    codeOfStatus(answer.status),
    `The answer is HTTP ${answer.status} and no problem document`,
    {
      cause,
    },
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

function problemOf(
  text: string,
): { code: ErrorCode; detail: string; violations: readonly Violation[] } | undefined {
  const problem = jsonOrUndefined(text);
  if (!isRecord(problem) || !isErrorCode(problem.code)) return undefined;
  const { code, detail, violations } = problem;
  return {
    code,
    detail: typeof detail === "string" ? detail : "",
    violations: Array.isArray(violations) ? violations.filter(isViolation) : [],
  };
}

const isViolation = (value: unknown): value is Violation =>
  isRecord(value) && [value.field, value.rule, value.message].every((text) => typeof text === "string");

function codeOfStatus(status: number): ErrorCode {
  if (status === 429) return "RATE_LIMITED";
  if (status === 401) return "UNAUTHENTICATED";
  if (status === 403) return "FORBIDDEN";
  if (status === 404) return "NOT_FOUND";
  if (status === 413) return "PAYLOAD_TOO_LARGE";
  // 408 and what stands between: the request may never have arrived.
  return status === 408 || status >= 500 ? "UNAVAILABLE" : "INTERNAL";
}

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
