/** Epoch milliseconds as RFC 3339, which is also protobuf's JSON mapping. */
export const timeJson = (milliseconds: number): string => new Date(milliseconds).toISOString();

export const timeJsonOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : timeJson(milliseconds);

/** Milliseconds as protobuf's JSON mapping writes a Duration. */
export const durationJson = (milliseconds: number): string => `${milliseconds / 1000}s`;

export const durationJsonOrNull = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : durationJson(milliseconds);
