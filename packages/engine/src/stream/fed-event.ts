import { type FeedPosition, topicsOf } from "@signalbox/core";
import type { StoredEvent } from "@signalbox/db";
import { readCursor, writeCursor } from "../page.ts";

/** An event as readers are told of it. */
export type FedEvent = StoredEvent & { readonly cursor: string; readonly topics: readonly string[] };

export const fedEvent = (tenantId: string, event: StoredEvent): FedEvent => ({
  ...event,
  cursor: feedCursor(tenantId, event),
  topics: topicsOf(event),
});

/** What a reader comes back with: opaque, and good for the tenant that it was given to. */
export const feedCursor = (tenantId: string, { transaction, ordinal }: FeedPosition): string =>
  writeCursor([tenantId, transaction, String(ordinal)]);

const unsigned63 = /^(?:0|[1-9]\d{0,18})$/;
const int32 = /^(?:-1|0|[1-9]\d{0,9})$/;
const LARGEST_ORDINAL = 2 ** 31 - 1;

/** Undefined for a text that was never given to anybody. */
export function readFeedCursor(text: string): (FeedPosition & { tenantId: string }) | undefined {
  const parts = partsOf(text);
  if (parts === undefined) return undefined;
  const [tenantId = "", transaction = "", ordinal = ""] = parts;
  if (!unsigned63.test(transaction) || !int32.test(ordinal) || Number(ordinal) > LARGEST_ORDINAL)
    return undefined;
  return { tenantId, transaction, ordinal: Number(ordinal) };
}

function partsOf(text: string): string[] | undefined {
  try {
    return readCursor(text, 3);
  } catch {
    return undefined;
  }
}
