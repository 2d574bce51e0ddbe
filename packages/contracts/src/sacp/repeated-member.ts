import { endOfString } from "./answer-texts.ts";
import { SacpResponseSchema } from "./response.ts";

/** Whether a name is one of the protocol's own, as `status` is. */
export const isMember = (name: string): boolean => Object.hasOwn(SacpResponseSchema.shape, name);

/** No name of the protocol is longer, be every letter of it escaped. */
const LONGEST_WRITTEN =
  6 * Math.max(...Object.keys(SacpResponseSchema.shape).map(({ length }) => length)) + 2;

/**
 * The member that an answer in JSON has twice: JSON.parse takes the last one in silence, so that a failure could become a
 * success. What stands inside `data` is JSON's own affair. For text that JSON.parse has taken.
 */
export function repeatedMember(json: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  let isName = false;
  for (let at = 0; at < json.length; at += 1) {
    const sign = json[at];
    if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    if (sign === "{" || sign === ",") isName = true;
    if (sign !== '"') continue;
    const end = endOfString(json, at);
    const name = isName && depth === 1 ? nameIn(json.slice(at, Math.min(end, at + LONGEST_WRITTEN))) : "";
    if (seen.has(name)) return name;
    if (isMember(name)) seen.add(name);
    isName = false;
    at = end - 1;
  }
  return null;
}

function nameIn(written: string): string {
  if (!written.includes("\\")) return written.slice(1, -1);
  const name: unknown = written.endsWith('"') ? readName(written) : "";
  return typeof name === "string" ? name : "";
}

/** What was cut for its length is no name of the protocol. */
function readName(written: string): unknown {
  try {
    return JSON.parse(written);
  } catch {
    return "";
  }
}
