import { Code, ConnectError } from "@connectrpc/connect";
import { LinkFailure } from "@signalbox/engine";

/** What an agent says that took nothing, and may later. */
const notTaken: ReadonlySet<Code> = new Set([
  Code.Unavailable,
  Code.ResourceExhausted,
  Code.Unimplemented,
  Code.InvalidArgument,
  Code.PermissionDenied,
  Code.Unauthenticated,
  Code.NotFound,
  Code.FailedPrecondition,
]);
/** What an agent says whose work ended without a result. A handler that throws says Internal or Unknown. */
const failed: ReadonlySet<Code> = new Set([
  Code.Internal,
  Code.Unknown,
  Code.Aborted,
  Code.DataLoss,
  Code.Canceled,
]);

/** What became of an envelope whose call failed on a connection that stood. */
export function failureOf(error: unknown): LinkFailure {
  if (error instanceof LinkFailure) return error;
  const { code, rawMessage, cause, metadata } = ConnectError.from(error);
  // Only what the agent sends has a status: its server may complain of what it was sent in the same words as this side of an answer.
  const isStatus = metadata.has("grpc-status");
  if (!isStatus && /readMaxBytes/.test(rawMessage))
    return new LinkFailure("unreadable", "the answer has more bytes than are read");
  if (!isStatus && rawMessage.startsWith("parse binary: "))
    return new LinkFailure(
      "unreadable",
      `the agent answered with what is no RunAgentResponse: ${rawMessage}`,
    );
  // What has a cause, or is HTTP/2's, is the channel's end.
  const isSaid = isStatus || (cause === undefined && !/^http\/2 stream|^protocol error/.test(rawMessage));
  const options = { cause: error };
  if (isSaid && notTaken.has(code)) return new LinkFailure("not-taken", said(code, rawMessage), options);
  if (isSaid && failed.has(code)) return new LinkFailure("failed", said(code, rawMessage), options);
  return new LinkFailure("lost", `the channel was lost: ${rawMessage.slice(0, 300)}`, options);
}

const said = (code: Code, message: string): string =>
  `the agent answered ${Code[code]}: ${message.slice(0, 300)}`;
