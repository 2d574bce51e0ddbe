/** What one connection may ask of this process, and what it may cost it. */
export const streamLimits = {
  /** Connections of a tenant, and of all, to this process. */
  connectionsOfTenant: 4_000,
  connections: 20_000,
  subscriptions: 64,
  /** Of one message from a reader: a subscription with the longest cursor is a seventh of it. */
  messageCharacters: 4_096,
  /** At once, and after that so many a second. */
  messages: 200,
  messagesPerSecond: 20,
  /** Messages that could not be understood, before whoever sends them is sent away. */
  faults: 20,
  /** What waits for a reader beyond what its own system holds: who lets more wait is not reading. */
  waitingBytes: 1 << 20,
  /** A connection that gives no sign of life between two of them is dead. */
  heartbeatMs: 15_000,
  /** For the close to be answered. */
  closeMs: 2_000,
} as const;
