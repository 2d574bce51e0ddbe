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

/** The trailer is read at the end of the answer: until then its status is not in it. */
class ReadableAnswer implements UniversalServerResponse {
  readonly status: number;
  readonly header?: Headers;
  readonly body?: NonNullable<UniversalServerResponse["body"]>;
  readonly #trailer: Headers;

  constructor({ status, header, body }: UniversalServerResponse, trailer: Headers) {
    this.status = status;
    if (header !== undefined) this.header = header;
    if (body !== undefined) this.body = body;
    this.#trailer = trailer;
  }

  get trailer(): Headers {
    return withReadableMessage(this.#trailer);
  }
}

export const withReadableTrailer = (answer: UniversalServerResponse): UniversalServerResponse =>
  answer.trailer === undefined ? answer : new ReadableAnswer(answer, answer.trailer);
