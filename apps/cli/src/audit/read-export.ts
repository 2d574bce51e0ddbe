import { z } from "zod";
import type { Client } from "../connection/client.ts";
import { CommandFailure } from "../failure.ts";

type Query = Readonly<Record<string, string | undefined>>;

const endShape = z.strictObject({ exported: z.int(), nextCursor: z.string().optional() });
type End = z.infer<typeof endShape>;

/** The entries' lines as they arrive, some at a time, over as many exports as it takes. */
export async function* exportedLines(
  client: Client,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], void, void> {
  for (let cursor: string | undefined; ;) {
    const end = yield* oneExport(client, { ...query, cursor }, signal);
    cursor = end.nextCursor;
    if (cursor === undefined) return;
  }
}

async function* oneExport(
  client: Client,
  query: Query,
  signal: AbortSignal,
): AsyncGenerator<readonly string[], End, void> {
  let count = 0;
  let end: End | undefined;
  for await (const lines of client.lines("/v1/audit/export", { query, signal })) {
    end = endOf(lines.at(-1) ?? "");
    const entries = end === undefined ? lines : lines.slice(0, -1);
    count += entries.length;
    if (entries.length > 0) yield entries;
  }
  // A connection that is cut where a line ends looks like an end.
  if (end?.exported === count) return end;
  throw new CommandFailure("unreachable", `The export broke off after ${count} entries. Ask for it again.`);
}

function endOf(line: string): End | undefined {
  return line.startsWith('{"exported":') ? endShape.safeParse(JSON.parse(line)).data : undefined;
}
