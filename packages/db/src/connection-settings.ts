export interface ConnectionSettings {
  url: string;
  applicationName: string;
  maxConnections: number;
  onNotice?: (message: string) => void;
  /** How long a transaction may do nothing before the server ends it; 30 seconds where nothing is said. */
  idleInTransactionTimeoutMs?: number;
  /** How long a transaction may last before the server ends it; for ever where nothing is said (set-up waits for locks). */
  transactionTimeoutMs?: number;
  /** How long the server may say nothing while it owes an answer; for ever where nothing is said (set-up waits for locks). */
  answerTimeoutMs?: number;
}

/** Milliseconds. A statement that waits longer than this is a fault to be seen, not a load to be carried. */
const TIMEOUTS = {
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000,
};

/**
 * Seconds until a connection that could not be opened is tried again. The driver waits up to twenty, and a statement that it gave
 * to that connection waits with it: long after the server was back, a node's lease was not renewed, and all its commits refused.
 */
export const untilNextAttempt = (failures: number): number =>
  (0.5 + Math.random() / 2) * Math.min(3 ** failures / 100, 0.5);

/** Above statement_timeout: a server that still runs says itself what took too long. One that is frozen says nothing. */
export const ANSWER_TIMEOUT_MS = 20_000;

/**
 * What a process holds that is frozen where the server counts neither a statement's time nor its idling: between the parts of
 * one. It asks what a new statement takes before it says what is given, and a large one is written in pieces. Where the server
 * sends and nobody reads, not even this is looked at: there its system closes the connection after as long.
 */
export const TRANSACTION_TIMEOUT_MS = 20_000;

/**
 * A prepared statement keeps its plan, and plans are often made while a table is new and small: one that reads all of a
 * tenant's rows then, because that is cheap, goes on to do so when there are millions. Row security's list makes it
 * likelier still, for the planner cannot know how long it is. So every join goes by key, from the start.
 */
const JOINS_BY_KEY = {
  enable_hashjoin: "off",
  enable_material: "off",
  enable_mergejoin: "off",
  enable_seqscan: "off",
};

/** What the server is told when a connection is opened. */
export const sessionOf = ({
  applicationName,
  idleInTransactionTimeoutMs,
  transactionTimeoutMs,
}: ConnectionSettings) => ({
  application_name: applicationName,
  TimeZone: "UTC",
  search_path: "pg_catalog",
  ...TIMEOUTS,
  ...JOINS_BY_KEY,
  ...(idleInTransactionTimeoutMs !== undefined && {
    idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  }),
  ...(transactionTimeoutMs !== undefined && {
    transaction_timeout: transactionTimeoutMs,
    tcp_user_timeout: transactionTimeoutMs,
  }),
});
