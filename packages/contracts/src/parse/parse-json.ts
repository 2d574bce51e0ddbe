import type { JsonValue } from "@bufbuild/protobuf";
import { SignalboxError } from "../errors/signalbox-error.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { readText } from "./read-text.ts";
import { scanJson } from "./scan-json.ts";
import { scanPlainJson } from "./scan-plain-json.ts";

/** Reads JSON from outside: I-JSON (RFC 7493) within limits; what it refuses, it refuses with the path. */
export const parseJson = (input: Uint8Array | string, limits: Partial<Limits> = {}): JsonValue =>
  parseJsonAndTexts(input, undefined, limits).value;

/** What was read, and the text of each element of a list in it: where one is known, it needs not be printed again. */
export type JsonAndTexts = { readonly value: JsonValue; readonly texts: readonly string[] | undefined };

/**
 * The same, with the texts of what is in the list that the outermost object's member of this name is. There are none unless all of
 * the input is without space between and without escapes, and its numbers are as they are printed: then each text is what
 * JSON.stringify prints of its element, but for the order of names, and holds no half of a surrogate pair.
 */
export function parseJsonAndTexts(
  input: Uint8Array | string,
  listed: string | undefined,
  limits: Partial<Limits> = {},
): JsonAndTexts {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const text = readText(input, bounds.maxBytes);
  const plain = typeof input === "string" ? undefined : scanPlainJson(text, input, bounds, listed);
  const { texts } = plain ?? { texts: scanJson(text, bounds, listed === undefined ? {} : { listed }) };
  try {
    return { value: JSON.parse(text), texts };
  } catch (cause) {
    // Where it was taken for plain, nobody has looked yet whether it is JSON.
    if (plain !== undefined) scanJson(text, bounds);
    scanJson(text, bounds, { controls: true });
    throw new SignalboxError("MALFORMED_BODY", "The body is not JSON", { cause });
  }
}
