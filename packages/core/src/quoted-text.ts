import { clip } from "./pipeline/context/bounded-text.ts";

/** What was said of a failure is told in the entry, the question, the state and the next attempt: once a page is enough. */
const LONGEST_REASON = 4_096;
/** As long as a person's own instructions may be. */
const LONGEST_INSTRUCTIONS = 16_384;
/** No id or version that is made here is as long. */
const LONGEST_NAME = 200;

/** A reason that came from outside, as it may be repeated: cut where it is too long, and saying by how much. */
export const quotedReason = (text: string): string => clip(text, LONGEST_REASON).text;

/** What the next attempt is told to do, likewise. */
export const quotedInstructions = (text: string): string => clip(text, LONGEST_INSTRUCTIONS).text;

/** An id, code or version that came from outside, likewise. */
export const quotedName = (text: string): string => clip(text, LONGEST_NAME).text;
