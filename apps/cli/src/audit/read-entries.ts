import type { Client } from "../connection/client.ts";
import { CommandFailure } from "../failure.ts";
import { type EntryPage, readEntryPage } from "./entries.ts";

const LARGEST_PAGE = 100;
type Query = Readonly<Record<string, string | number | undefined>>;

export type AnsweredPage = EntryPage & { readonly answeredAt: Date | undefined };

export async function readPage(client: Client, query: Query, signal?: AbortSignal): Promise<AnsweredPage> {
  const { text, answeredAt } = await client.ask("GET", "/v1/audit", {
    query: { limit: LARGEST_PAGE, ...query },
    signal,
  });
  const page = readEntryPage(text);
  if (page !== undefined) return { ...page, answeredAt };
  throw new CommandFailure(
    "unreachable",
    `What ${client.url.origin} answered is no page of an audit record.`,
  );
}

/** Page after page, the newest first, each asked for when the one before it was used. */
export async function* pagesFrom(
  client: Client,
  query: Query,
  { cursor, signal }: { cursor?: string | undefined; signal?: AbortSignal | undefined },
): AsyncGenerator<AnsweredPage> {
  for (let next = cursor; ;) {
    const page = await readPage(client, { ...query, cursor: next }, signal);
    yield page;
    next = page.nextCursor;
    if (next === undefined) return;
  }
}
