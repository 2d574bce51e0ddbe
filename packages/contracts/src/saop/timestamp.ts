import { z } from "zod";

/**
 * "ISO 8601 UTC": a real date and a time with seconds, any fraction, and `Z` or the `+00:00` that Python's
 * isoformat() writes. Year 0000 is left out, which neither PostgreSQL nor protobuf can hold.
 */
export const TimestampSchema = z.iso
  .datetime({
    offset: true,
    error: 'expected an ISO 8601 time in UTC, such as "2026-02-21T09:30:00.000Z"',
  })
  .regex(/^(?!0000)\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|\+00:00)$/, {
    error: "expected UTC with seconds: the time ends in Z or +00:00",
  });
