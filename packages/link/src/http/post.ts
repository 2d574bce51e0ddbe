import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { AgentHosts } from "../agent-hosts.ts";

export type Answer = { readonly status: number; readonly body: Uint8Array };

/** Something went wrong on the way; `connected` says whether the agent may have seen the request. */
export class PostFailure extends Error {
  readonly connected: boolean;

  constructor(connected: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : "the call was called off", { cause });
    this.connected = connected;
  }
}

/** More than this is no answer to anything that is asked here. */
export class OversizedAnswer extends Error {
  constructor() {
    super(`the answer has more than the ${MOST_BYTES} bytes that are read`);
  }
}

const MOST_BYTES = 4 * 1024 * 1024;
const CONNECT_WITHIN_MS = 10_000;
/** For the end of an answer that says nothing more; no place among the calls is taken by then. */
const END_WITHIN_MS = 2_000;

/**
 * One POST on a connection of its own: of a connection that is kept, nobody knows whether the agent has read what was
 * written in the moment in which it closed. Redirects are answers like others, and are not followed.
 */
export function post(
  url: URL,
  { lookup }: Pick<AgentHosts, "lookup">,
  { headers, body }: { headers: Record<string, string>; body: Uint8Array },
  signal: AbortSignal,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const send = url.protocol === "https:" ? requestSecure : requestPlain;
  const request = send(url, {
    method: "POST",
    agent: false,
    lookup,
    signal,
    headers: {
      ...headers,
      "content-length": String(body.length),
      "user-agent": "signalbox",
      connection: "close",
    },
  });
  let connected = false;
  const connecting = setTimeout(() => request.destroy(new Error("nobody answers there")), CONNECT_WITHIN_MS);
  const ready = url.protocol === "https:" ? "secureConnect" : "connect";
  request.on("socket", (socket) =>
    socket.once(ready, () => {
      connected = true;
      clearTimeout(connecting);
    }),
  );
  request.on("error", (error) => reject(new PostFailure(connected, error)));
  request.on("close", () => {
    clearTimeout(connecting);
    reject(new PostFailure(connected, new Error("the connection closed without an answer")));
  });
  request.on("response", (response) => {
    const { statusCode: status = 0 } = response;
    // Of any other answer the status says all. Who has taken it may still end its own: cut off, it could take that for a cancel.
    if (status !== 200) resolve({ status, body: new Uint8Array() });
    if (status !== 200 && status !== 202) {
      request.destroy();
      return;
    }
    if (status === 202) {
      const late = setTimeout(() => request.destroy(), END_WITHIN_MS);
      request.once("close", () => clearTimeout(late));
    }
    const parts: Buffer[] = [];
    let bytes = 0;
    response.on("data", (part: Buffer) => {
      bytes += part.length;
      if (bytes <= MOST_BYTES) return void (status === 200 && parts.push(part));
      reject(new OversizedAnswer());
      request.destroy();
    });
    response.on("end", () => resolve({ status, body: Buffer.concat(parts) }));
    response.on("error", (error) => reject(new PostFailure(true, error)));
  });
  request.end(body);
  return promise;
}
