import { setTimeout as pause } from "node:timers/promises";
import type { z } from "zod";
import { CommandFailure, usageFailure } from "../failure.ts";
import { problemFailure, unexpectedFailure } from "./refusals.ts";
import type { Connection } from "./settings.ts";
import { unreachableFailure } from "./unreachable.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Asked = {
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is. */
  readonly body?: string;
  /** What the body is; JSON unless said otherwise. */
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
};
type Answer = {
  readonly status: number;
  readonly text: string;
  readonly entityTag: string | undefined;
  /** By the server's clock. */
  readonly answeredAt: Date | undefined;
};

export type Client = {
  readonly url: URL;
  /** Resolves with what was answered in the 200s and with 304; everything else is thrown in words. */
  readonly ask: (method: Method, path: string, asked?: Asked) => Promise<Answer>;
  /** What is answered line by line, whole lines as they arrive; however long it takes, while it goes on. */
  readonly lines: (path: string, asked: Asked) => AsyncGenerator<readonly string[], void, void>;
  /** A WebSocket as the same caller. */
  readonly openSocket: (path: string) => WebSocket;
  /** The same, read as what it should be. */
  readonly read: <Schema extends z.ZodType>(
    schema: Schema,
    method: Method,
    path: string,
    asked?: Asked,
  ) => Promise<z.output<Schema>>;
};

const PATIENCE_MS = 30_000;
/** Who is told to stay away for longer hears so at once, and may decide. */
const LONGEST_WAIT_SECONDS = 5;
const MOST_TRIES = 4;
const LARGEST_ANSWER = 64 * 1024 * 1024;

export function openClient({ url, key }: Connection): Client {
  function send(method: Method, path: string, asked: Asked, over: AbortSignal): Promise<Response> {
    const target = new URL(path, url);
    for (const [name, value] of Object.entries(asked.query ?? {})) {
      if (value !== undefined) target.searchParams.set(name, String(value));
    }
    return fetch(target, {
      method,
      // A key must not follow to wherever an answer points.
      redirect: "manual",
      signal: over,
      headers: {
        accept: "application/json",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(asked.body === undefined ? {} : { "content-type": asked.contentType ?? "application/json" }),
        ...asked.headers,
      },
      ...(asked.body === undefined ? {} : { body: asked.body }),
    });
  }

  async function* lines(path: string, asked: Asked): AsyncGenerator<readonly string[], void, void> {
    const patience = new AbortController();
    const timer = setTimeout(
      () => patience.abort(new DOMException("The server took too long.", "TimeoutError")),
      PATIENCE_MS,
    );
    const over =
      asked.signal === undefined ? patience.signal : AbortSignal.any([patience.signal, asked.signal]);
    const headers = { accept: "application/x-ndjson, application/json" };
    try {
      const response = await patiently(() => send("GET", path, { ...asked, headers }, over), over);
      if (!response.ok) {
        const text = await boundedText(response);
        throw problemFailure({ status: response.status, text, url, hasKey: key !== undefined });
      }
      let rest = "";
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const whole = `${rest}${chunk}`.split("\n");
        rest = whole.pop() ?? "";
        if (rest.length > LARGEST_ANSWER)
          throw new CommandFailure("failed", "A line of the answer is larger than this command reads.");
        if (whole.length > 0) yield whole;
        timer.refresh();
      }
      if (rest !== "") yield [rest];
    } catch (error) {
      if (asked.signal?.aborted === true || error instanceof CommandFailure) throw error;
      throw unreachableFailure(error, url);
    } finally {
      clearTimeout(timer);
      patience.abort();
    }
  }

  async function ask(method: Method, path: string, asked: Asked = {}): Promise<Answer> {
    const patience = AbortSignal.timeout(PATIENCE_MS);
    const over = asked.signal === undefined ? patience : AbortSignal.any([patience, asked.signal]);
    try {
      const response = await patiently(() => send(method, path, asked, over), over);
      const text = await boundedText(response);
      if (response.ok) {
        const answeredAt = new Date(response.headers.get("date") ?? Number.NaN);
        return {
          status: response.status,
          text,
          entityTag: response.headers.get("etag") ?? undefined,
          answeredAt: Number.isNaN(answeredAt.getTime()) ? undefined : answeredAt,
        };
      }
      throw problemFailure({ status: response.status, text, url, hasKey: key !== undefined });
    } catch (error) {
      if (asked.signal?.aborted === true || error instanceof CommandFailure) throw error;
      throw unreachableFailure(error, url);
    }
  }

  return {
    url,
    ask,
    lines,
    openSocket: (path) =>
      new WebSocket(new URL(path, url.href.replace(/^http/, "ws")), {
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      }),
    async read(schema, method, path, asked) {
      const { text } = await ask(method, path, asked);
      const read = schema.safeParse(jsonOf(text));
      if (read.success) return read.data;
      throw unexpectedFailure(url, read.error);
    },
  };
}

/** What was refused for its number alone was not carried out, whatever it was: it is sent again when it may be. */
async function patiently(send: () => Promise<Response>, over: AbortSignal): Promise<Response> {
  for (let tried = 1; ; tried += 1) {
    const response = await send();
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    if (response.status !== 429 || tried === MOST_TRIES || !(seconds <= LONGEST_WAIT_SECONDS))
      return response;
    await response.body?.cancel();
    await pause(seconds * 1_000, undefined, { signal: over });
  }
}

async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > LARGEST_ANSWER)
      throw new CommandFailure("failed", "The answer is larger than this command reads.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A path with names in it, each escaped. */
export function pathOf(parts: TemplateStringsArray, ...names: readonly string[]): string {
  return String.raw({ raw: parts }, ...names.map(segment));
}

/** URLs drop `.` and `..` however they are escaped, so that another path than the one that was meant would be asked. */
function segment(name: string): string {
  if (name === "" || name === "." || name === ".." || !name.isWellFormed())
    throw usageFailure(`${JSON.stringify(name.toWellFormed())} is no id or version of anything.`);
  return encodeURIComponent(name);
}
