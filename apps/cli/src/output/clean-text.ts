/**
 * What a terminal would act on rather than show: controls, escapes, and the marks that turn the direction of writing
 * (Trojan Source, CVE-2021-42574). An agent's summary must not be able to clear the screen, or to say another thing than
 * is there.
 */
// oxlint-disable-next-line no-control-regex
const acting = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

const visible = (character: string) =>
  `\\u{${(character.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}}`;

/** Text from outside as it may be shown, with its lines as they are. */
export const cleanText = (text: string): string =>
  text.replaceAll("\r\n", "\n").toWellFormed().replace(acting, visible);

/** The same on one line. */
export const cleanLine = (text: string): string =>
  cleanText(text.trim())
    .replaceAll(/\s*\n\s*/g, " ⏎ ")
    .replaceAll("\t", " ");
