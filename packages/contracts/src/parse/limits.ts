/** What one body from outside may cost. */
export type Limits = {
  /** Bytes of the body. A JSON text given as a string is counted in UTF-16 units. */
  readonly maxBytes: number;
  /** Objects and lists inside one another, counted as JSON shows them, in either mapping. */
  readonly maxDepth: number;
  /** Members of objects and elements of lists, all together. Each may become a message and break a rule. */
  readonly maxValues: number;
};

/**
 * 4 MiB is what gRPC receives by default. Depth 32 keeps every message that comes in as JSON within the 100 nested
 * messages that protobuf implementations read, since a level of a Struct takes three. Fifty thousand values that all
 * break a rule are told within about a second.
 */
export const DEFAULT_LIMITS: Limits = { maxBytes: 4 * 1024 * 1024, maxDepth: 32, maxValues: 50_000 };
