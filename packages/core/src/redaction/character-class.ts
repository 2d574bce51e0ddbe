/** A set of ASCII characters as bits, so that a test is one load and one mask. Everything past ASCII is in no class. */
export type CharacterClass = number;

const HEX_DIGIT = 1;
const HEX_LETTER = 2;
const OTHER_UPPER = 4;
const OTHER_LOWER = 8;
const HEX_UPPER = 16;
export const UNDERSCORE: CharacterClass = 32;
export const DASH: CharacterClass = 64;
const DOT: CharacterClass = 128;
const BASE64_EXTRA = 256;
export const EQUALS: CharacterClass = 512;
export const BLANK: CharacterClass = 1024;
const LINE_BREAK = 2048;
export const QUOTE: CharacterClass = 4096;
const PAIR_END = 8192;
const TILDE = 16_384;
const PERCENT = 32_768;
const AUTHORITY_END = 65_536;

export const DIGIT: CharacterClass = HEX_DIGIT;
export const UPPER: CharacterClass = OTHER_UPPER | HEX_UPPER;
export const LOWER: CharacterClass = OTHER_LOWER | HEX_LETTER;
export const HEX: CharacterClass = HEX_DIGIT | HEX_LETTER | HEX_UPPER;
export const ALNUM: CharacterClass = DIGIT | UPPER | LOWER;
export const UPPER_ALNUM: CharacterClass = DIGIT | UPPER;
export const WORD: CharacterClass = ALNUM | UNDERSCORE;
export const BASE64URL: CharacterClass = WORD | DASH;
export const TOKEN: CharacterClass = BASE64URL | DOT;
const BASE64: CharacterClass = ALNUM | BASE64_EXTRA | EQUALS;
export const ANY_BASE64: CharacterClass = BASE64 | BASE64URL;
export const ESCAPED_BASE64: CharacterClass = BASE64 | BASE64URL | PERCENT;
export const AZURE_SECRET: CharacterClass = TOKEN | TILDE;
export const PATH: CharacterClass = TOKEN | BASE64_EXTRA;
export const LINE_END: CharacterClass = LINE_BREAK;
/** Ends a value that nothing quotes: white space, a quote, or what separates pairs in URLs and connection strings. */
export const VALUE_END: CharacterClass = BLANK | LINE_BREAK | QUOTE | PAIR_END;
export const USERINFO_END: CharacterClass = BLANK | LINE_BREAK | QUOTE | AUTHORITY_END;
export const HEADER_END: CharacterClass = LINE_BREAK | QUOTE;

const bits = new Uint32Array(128);

function assign(characters: string, bit: number): void {
  for (const character of characters) {
    const code = character.charCodeAt(0);
    bits[code] = (bits[code] ?? 0) | bit;
  }
}
assign("0123456789", HEX_DIGIT);
assign("abcdef", HEX_LETTER);
assign("ABCDEF", HEX_UPPER);
assign("GHIJKLMNOPQRSTUVWXYZ", OTHER_UPPER);
assign("ghijklmnopqrstuvwxyz", OTHER_LOWER);
assign("_", UNDERSCORE);
assign("-", DASH);
assign(".", DOT);
assign("+/", BASE64_EXTRA);
assign("=", EQUALS);
assign(" \t", BLANK);
assign("\n\r", LINE_BREAK);
assign("\"'`", QUOTE);
assign("&;", PAIR_END);
assign("~", TILDE);
assign("%", PERCENT);
assign("/?#<>\\", AUTHORITY_END);

/** `code` may be NaN, as `charCodeAt` past the end gives it: that is in no class. */
export const isIn = (code: number, set: CharacterClass): boolean =>
  code < 128 && ((bits[code] ?? 0) & set) !== 0;
