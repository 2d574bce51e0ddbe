import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

const message = "grpc-message";

/**
 * Connect escapes in a status's message all that a URL's part escapes. The protocol asks that of `%`, of control characters and of
 * what is no ASCII, and @grpc/grpc-js takes back no more: its callers read "1.0.0%3A is not".
 */
export function withReadableMessage(trailer: Headers): Headers {
  const escaped = trailer.get(message);
  if (escaped === null) return trailer;
  const readable = new Headers(trailer);
  readable.set(message, escaped.replace(/%(?:2[0-46-9A-F]|[3-6][0-9A-F]|7[0-9A-E])/g, decodeURIComponent));
  return readable;
}

/** Read at the end of the answer: until then its status is not in it. */
export function withReadableTrailer(answer: UniversalServerResponse): UniversalServerResponse {
  const { trailer } = answer;
  if (trailer === undefined) return answer;
  return {
    ...answer,
    get trailer() {
      return withReadableMessage(trailer);
    },
  };
}
