import type { DescMessage } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import { compressionBrotli, compressionGzip } from "@connectrpc/connect-node";
import {
  pipe,
  readAllBytes,
  transformDecompressEnvelope,
  transformJoinEnvelopes,
  transformSplitEnvelope,
  type EnvelopedMessage,
  type UniversalHandler,
  type UniversalServerRequest,
} from "@connectrpc/connect/protocol";
import { decodeMessageBinary, decodeMessageJson, SignalboxError } from "@signalbox/contracts";
import { bodyLimit } from "../body-limit.ts";
import { withoutFarDeadlines } from "./far-deadline.ts";
import { connectError, sentJsonKey } from "./interceptors.ts";

const unaryType = /^application\/(json|proto)(;|$)/i;
const envelopedType = /^application\/(?:grpc-web|grpc|connect)(?:\+(json|proto))?(;|$)/i;
const compressions = [compressionGzip, compressionBrotli];

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Connect decodes a message by itself: it drops what JSON it does not know, takes a binary that cannot be read for a fault
 * of ours, and says neither where nor why. So each message is read as REST reads its bodies before Connect gets it.
 * The gate still comes first: no byte is asked for until Connect asks.
 */
export function readStrictly(handler: UniversalHandler): UniversalHandler {
  const { protocolNames, service, method, requestPath, allowedMethods, supportedContentType } = handler;
  const strict = (sent: UniversalServerRequest) => {
    const request = { ...sent, header: withoutFarDeadlines(sent.header) };
    return handler({ ...request, ...readable(method.input, request) });
  };
  return Object.assign(strict, {
    protocolNames,
    service,
    method,
    requestPath,
    allowedMethods,
    supportedContentType,
  });
}

function readable(
  schema: DescMessage,
  { body, header, contextValues }: UniversalServerRequest,
): Pick<UniversalServerRequest, "body" | "header"> {
  const type = header.get("content-type") ?? "";
  const unary = unaryType.exec(type);
  const format = unary ?? envelopedType.exec(type);
  const encoding = header.get(encodingHeader(type, unary !== null)) ?? "identity";
  const compression = compressions.find(({ name }) => name === encoding) ?? null;
  // Connect has its own refusals for what this does not know.
  const known = format !== null && (compression !== null || encoding === "identity");
  if (!known || !isBytes(body) || contextValues === undefined) return { body, header };

  const check = checkOf(schema, format[1]?.toLowerCase() === "json", contextValues);
  if (unary === null) {
    const messages = pipe(
      body,
      transformSplitEnvelope(bodyLimit),
      transformDecompressEnvelope(compression, bodyLimit),
      (envelopes) => checked(envelopes, check),
      transformJoinEnvelopes(),
    );
    return { body: described(messages, contextValues), header };
  }
  const plain = new Headers(header);
  for (const name of ["content-encoding", "content-length"]) plain.delete(name);
  const message = (async function* (): Bytes {
    const sent = await readAllBytes(body, bodyLimit, header.get("content-length"));
    const bytes = compression === null ? sent : await compression.decompress(sent, bodyLimit);
    check(bytes);
    yield bytes;
  })();
  return { body: described(message, contextValues), header: plain };
}

const isBytes = (body: UniversalServerRequest["body"]): body is Bytes =>
  typeof body === "object" && body !== null && Symbol.asyncIterator in body;

function encodingHeader(type: string, unary: boolean): string {
  if (unary) return "content-encoding";
  return /^application\/connect/i.test(type) ? "connect-content-encoding" : "grpc-encoding";
}

function checkOf(schema: DescMessage, json: boolean, values: ContextValues): (bytes: Uint8Array) => void {
  return (bytes) => {
    if (!json) return void decodeMessageBinary(schema, bytes);
    values.set(sentJsonKey, { schema, body: bytes });
    decodeMessageJson(schema, bytes, { unknownFields: "refuse" });
  };
}

async function* checked(
  envelopes: AsyncIterable<EnvelopedMessage>,
  check: (bytes: Uint8Array) => void,
): AsyncIterable<EnvelopedMessage> {
  for await (const envelope of envelopes) {
    // Trailers and the end of a stream are frames of an answer: in a request Connect would take them for messages.
    if (envelope.flags !== 0)
      throw new SignalboxError("MALFORMED_BODY", "A frame's flags are 0, or 1 where it is compressed.");
    check(envelope.data);
    yield envelope;
  }
}

async function* described(bytes: Bytes, values: ContextValues): Bytes {
  try {
    yield* bytes;
  } catch (thrown) {
    throw connectError(refusalOf(thrown), values);
  }
}

/** What Connect takes for its own fault too: a frame said to be compressed where the header names no compression. */
const unreadable = new Set([Code.InvalidArgument, Code.DataLoss, Code.Internal]);

/** Connect's own faults of a body, in the closed set's words. A stream that was cut stays what it is. */
function refusalOf(thrown: unknown): unknown {
  if (!(thrown instanceof ConnectError)) return thrown;
  if (thrown.code === Code.ResourceExhausted) {
    const detail = `The message is larger than the ${bodyLimit} bytes that this server reads.`;
    return new SignalboxError("PAYLOAD_TOO_LARGE", detail, { cause: thrown });
  }
  if (!unreadable.has(thrown.code)) return thrown;
  return new SignalboxError("MALFORMED_BODY", "The body does not hold a whole message.", { cause: thrown });
}
