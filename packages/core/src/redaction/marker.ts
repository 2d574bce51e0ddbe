import { DASH, isIn, LOWER } from "./character-class.ts";

/** What stands in a secret's place. It names the rule, and no rule matches it again. */
export const markerOf = (ruleId: string): string => `${MARKER_OPENING}${ruleId}]`;

export const MARKER_OPENING = "[redacted:";
/** Lower-case letters and dashes, and few of them, so that nothing generated can pass for a marker. */
const RULE_ID = LOWER | DASH;
const LONGEST_RULE_ID = 32;
export const isRuleId = (id: string): boolean => /^[a-z-]{1,32}$/.test(id);

/** The end of the marker that begins at `start`, -1 where none does, "more" where the text ends too early to tell. */
export function markerEnd(text: string, start: number, final: boolean): number | "more" {
  if (!text.startsWith(MARKER_OPENING, start)) {
    const rest = text.slice(start, start + MARKER_OPENING.length);
    const undecided = !final && rest.length < MARKER_OPENING.length && MARKER_OPENING.startsWith(rest);
    return undecided ? "more" : -1;
  }
  const idStart = start + MARKER_OPENING.length;
  let end = idStart;
  while (end < text.length && end - idStart < LONGEST_RULE_ID && isIn(text.charCodeAt(end), RULE_ID)) end++;
  if (end === text.length && !final) return "more";
  return end > idStart && text.charAt(end) === "]" ? end + 1 : -1;
}

/** Whether `text` is one marker, or some in a row. */
export function isMarkersOnly(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const end = markerEnd(text, at, true);
    if (typeof end !== "number" || end === -1) return false;
    at = end;
  }
  return text !== "";
}

/** `text` without markers: what is judged of it is what stood there itself. */
export const withoutMarkers = (text: string): string =>
  text.includes(MARKER_OPENING) ? text.replaceAll(/\[redacted:[a-z-]{0,32}\]?/g, "") : text;

/** `text` up to its first marker: behind it a second redaction could read on where the first one stopped. */
export const beforeMarker = (text: string): string => text.split(MARKER_OPENING, 1)[0] ?? "";
