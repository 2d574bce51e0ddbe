import type { Violation } from "@signalbox/contracts";

/** In UTF-16 units. The longest still fit an index row of PostgreSQL with the longest tenant id, four bytes a character. */
export const identifierLimits = { usual: 200, packId: 400, packVersion: 100 } as const;

export const identifierForm =
  "an id begins and ends with a character that can be seen, and holds none that is a control, is not seen, breaks the line or turns the direction of text";

/**
 * What joins letters is no part of this: several scripts are not written without; nor what says how the picture before it looks.
 * Fillers and the empty Braille cell are letters and signs by their kind, and as blank as a space.
 */
const unseen =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\u200C\u200D]|(?<=\p{Extended_Pictographic})[\uFE0E\uFE0F])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const joinsAtAnEnd = /^[\u200C\u200D]|[\u200C\u200D]$/;

/**
 * NAME-1: what every id keeps to that a caller gives to something: it stands in tables, URLs, logs and sentences, and one that looks
 * like another is another's. Whether it may be left out is for whoever asks for it to say.
 */
export function findIdentifierFaults(
  field: string,
  id: string,
  most: number = identifierLimits.usual,
): Violation[] {
  if (id.length > most) {
    const message = `has ${id.length} characters; at most ${most} are allowed`;
    return [{ field, rule: "name.max_len", message }];
  }
  const fault = unfitness(id);
  return fault === undefined ? [] : [{ field, rule: "name.fit", message: fault }];
}

function unfitness(id: string): string | undefined {
  // A browser reads "." and ".." in a URL as steps, even when they are escaped.
  if (id === "." || id === "..") return `must not be "${id}", which no URL can name`;
  const at = id.search(unseen);
  if (at !== -1) return `holds ${codeOf(id, at)} at character ${at + 1}; ${identifierForm}`;
  if (id !== "" && /^[\s\u200C\u200D]+$/.test(id)) return `is blank; ${identifierForm}`;
  if (id.trim() !== id) return `begins or ends with white space; ${identifierForm}`;
  return joinsAtAnEnd.test(id) ? `begins or ends with what joins letters; ${identifierForm}` : undefined;
}

const codeOf = (text: string, at: number): string =>
  `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
