import { glimpseJson, SignalboxError } from "@signalbox/contracts";
import { z } from "zod";
import { refusedCall, refusedTask } from "./answers.ts";
import { SUBMIT_TASK } from "./tools.ts";

const call = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]),
  method: z.literal("tools/call"),
  params: z.looseObject({
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()).optional(),
  }),
});

/**
 * The answer to a call whose body was refused as JSON, such as for U+0000 or a member that is there twice: the tool's own, for a
 * host shows its model no other. Undefined for what is no call.
 */
export function answerUnread(thrown: unknown, body: Uint8Array, requestId: string): object | undefined {
  if (!(thrown instanceof SignalboxError)) return undefined;
  const read = call.safeParse(glimpseJson(body));
  if (!read.success) return undefined;
  const { id, params } = read.data;
  const submits = params.name === SUBMIT_TASK;
  const error = withoutPrefix(thrown, submits ? "params.arguments.task." : "params.arguments.");
  const result = submits ? refusedTask(error, params.arguments?.["task"], requestId) : refusedCall(error);
  return { jsonrpc: "2.0", id, result };
}

/** The fields as whoever called the tool knows them. */
function withoutPrefix({ code, detail, violations }: SignalboxError, prefix: string): SignalboxError {
  const bare = (text: string): string => (text.startsWith(prefix) ? text.slice(prefix.length) : text);
  return new SignalboxError(code, bare(detail), {
    violations: violations.map((one) => ({ ...one, field: bare(one.field) })),
  });
}
