/** Where an event stands in its tenant's feed: core's FeedPosition. */
export interface EventCursor {
  /** A transaction's 64-bit number, as text. */
  transaction: string;
  /** Its place in it. */
  ordinal: number;
}

export interface StoredEvent extends EventCursor {
  pipelineId: string | null;
  recordedAt: number;
  kind: string;
  payload: string;
}
