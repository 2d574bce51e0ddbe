/** A batch's events, as the contract's ReportEventsRequest bounds them too. */
export const MOST_EVENTS = 1_000;
/** Of a turn's index and an event's sequence: far above any attempt's, and within a column of four bytes. */
export const HIGHEST_PLACE = 1_000_000_000;
/** What may be held of a turn for what has not come yet. */
export const MOST_HELD_EVENTS = 1_000;
export const MOST_HELD_CHARACTERS = 1024 * 1024;
/** Gaps in a turn's sequence at one time. */
export const MOST_GAPS = 1_000;
/** What trails behind a result that counted is taken for so long. */
export const TRAILING_MS = 10 * 60_000;
