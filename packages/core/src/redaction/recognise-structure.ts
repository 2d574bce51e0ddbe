import {
  ALNUM,
  BASE64URL,
  DASH,
  BLANK,
  isIn,
  HEADER_END,
  TOKEN,
  UPPER_ALNUM,
  USERINFO_END,
} from "./character-class.ts";
import { isMarkersOnly, markerEnd } from "./marker.ts";
import { isMixed } from "./randomness.ts";
import { LOOKAHEAD, type Recogniser } from "./recognition.ts";
import { runEnd } from "./recognise-token.ts";

const PRIVATE_KEY = "PRIVATE KEY";
const LONGEST_LABEL = 64;

export const recogniseArmor: Recogniser<"armor"> = (_shape, site) => {
  const { text, anchorStart, anchorEnd, final } = site;
  const labelEnd = runEnd(text, anchorEnd, UPPER_ALNUM | BLANK, anchorEnd + LONGEST_LABEL);
  const end = runEnd(text, labelEnd, DASH, labelEnd + 5);
  if (end === text.length && end < labelEnd + 5 && !final) return "more";
  if (end < labelEnd + 5 || !text.slice(anchorEnd, labelEnd).includes(PRIVATE_KEY)) return undefined;
  return { from: anchorStart, certainTo: end, rest: { kind: "armor" } };
};

const SHORTEST_PART = 8;
const DOT_CODE = 46;

/**
 * `eyJ` is the beginning of any JSON object in base64url. Two such parts with a dot between are a JWT; a single one that
 * is longer than the bound is taken for one, since its dot would come too late to hold the text back for.
 */
export const recogniseJwt: Recogniser<"jwt"> = (_shape, site) => {
  const { text, anchorStart, anchorEnd, floor, final } = site;
  if (anchorStart > floor && isIn(text.charCodeAt(anchorStart - 1), BASE64URL)) return undefined;
  const bound = anchorEnd + LOOKAHEAD;
  const headerEnd = runEnd(text, anchorEnd, BASE64URL, bound);
  const rest = { kind: "run", of: TOKEN } as const;
  if (headerEnd === bound) return { from: anchorStart, certainTo: anchorEnd, rest };
  if (headerEnd === text.length && !final) return "more";
  if (headerEnd - anchorEnd < SHORTEST_PART || text.charCodeAt(headerEnd) !== DOT_CODE) return undefined;
  const need = headerEnd + 1 + SHORTEST_PART;
  const payloadEnd = runEnd(text, headerEnd + 1, BASE64URL, need);
  if (payloadEnd < need) return payloadEnd === text.length && !final ? "more" : undefined;
  return { from: anchorStart, certainTo: anchorEnd, rest };
};

const AT = 64;
const OPENING_BRACKET = 91;
const COLON = 58;
const SHORTEST_BARE_TOKEN = 20;

/** The password runs from the first colon to the last `@` before the authority ends (RFC 3986, 3.2). */
export const recogniseUrl: Recogniser<"url"> = (_shape, site) => {
  const { text, anchorEnd, final } = site;
  const bound = anchorEnd + LOOKAHEAD;
  const stop = Math.min(text.length, bound);
  let colon = -1;
  let lastAt = -1;
  let end = anchorEnd;
  for (; end < stop; end++) {
    const code = text.charCodeAt(end);
    if (isIn(code, USERINFO_END)) break;
    if (code === OPENING_BRACKET) {
      const marker = markerEnd(text, end, final);
      if (marker === "more") return "more";
      // A marker may stand in front, where a password does; inside a name or password it was masked on its own.
      if (marker !== -1 && end !== anchorEnd && end !== colon + 1) break;
      if (marker !== -1) {
        end = marker - 1;
        continue;
      }
    }
    if (code === COLON && colon === -1 && lastAt === -1) colon = end;
    else if (code === AT) lastAt = end;
  }
  if (end === text.length && end < bound && !final) return "more";
  // A token stands before the colon as often as behind it (`https://<token>:x-oauth-basic@…`).
  const isNamed = colon !== -1 && !isBareToken(text.slice(anchorEnd, colon));
  const from = isNamed ? colon + 1 : anchorEnd;
  if (end === bound && lastAt === -1)
    return colon === -1 ? undefined : { from, certainTo: end, rest: { kind: "until", end: USERINFO_END } };
  if (lastAt <= from) return undefined;
  if (isMarkersOnly(text.slice(from, lastAt))) return undefined;
  if (colon === -1 && !isBareToken(text.slice(from, lastAt))) return undefined;
  return { from, certainTo: lastAt };
};

/** `https://<token>@host`: long and with digits, unlike a user's name. */
const isBareToken = (userinfo: string): boolean =>
  userinfo.length >= SHORTEST_BARE_TOKEN &&
  isMixed(userinfo) &&
  !userinfo.includes(".") &&
  isIn(userinfo.charCodeAt(0), ALNUM);

const LONGEST_COOKIE_NAME = 128;

export const recogniseCookie: Recogniser<"cookie"> = (_shape, site) => {
  const { text, anchorEnd, final } = site;
  const nameStart = runEnd(text, anchorEnd, BLANK, anchorEnd + 8);
  const nameEnd = runEnd(text, nameStart, TOKEN, nameStart + LONGEST_COOKIE_NAME);
  if (nameEnd === text.length && !final) return "more";
  if (nameEnd === nameStart || text.charAt(nameEnd) !== "=") return undefined;
  return { from: nameStart, certainTo: nameEnd + 1, rest: { kind: "until", end: HEADER_END } };
};
