/** Where an event stands in its tenant's feed. */
export type FeedPosition = {
  /** A transaction's 64-bit number, in decimal; a JavaScript number cannot hold it. */
  readonly transaction: string;
  /** Its place in that transaction. */
  readonly ordinal: number;
};

/** STREAM-6. Decimals without leading zeros: the longer one is the larger. */
export function comparePositions(one: FeedPosition, other: FeedPosition): number {
  if (one.transaction === other.transaction) return one.ordinal - other.ordinal;
  const byLength = one.transaction.length - other.transaction.length;
  if (byLength !== 0) return byLength;
  return one.transaction < other.transaction ? -1 : 1;
}

export type FeedCursor = FeedPosition & { readonly tenantId: string };

export type CursorJudgement = "fits" | "foreign" | "expired";

/** STREAM-7, STREAM-8: whether all that came after the cursor can still be told. */
export function judgeCursor(
  cursor: FeedCursor,
  feed: {
    readonly tenantId: string;
    /** The last event that was forgotten, if any was. */
    readonly forgotten: FeedPosition | undefined;
    /** Whatever is to come stands behind this. */
    readonly frontier: FeedPosition;
  },
): CursorJudgement {
  if (cursor.tenantId !== feed.tenantId) return "foreign";
  if (feed.forgotten !== undefined && comparePositions(cursor, feed.forgotten) < 0) return "expired";
  return comparePositions(cursor, feed.frontier) > 0 ? "expired" : "fits";
}
