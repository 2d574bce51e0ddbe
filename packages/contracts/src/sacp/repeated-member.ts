import { endOfString } from "./answer-texts.ts";
import { SacpResponseSchema } from "./response.ts";

/** Whether a name is one of the protocol's own, as `status` is. */
export const isMember = (name: string): boolean => Object.hasOwn(SacpResponseSchema.shape, name);

const SIGN = /["{}[\],:]/g;

/**
 * The member that an answer in JSON has twice: JSON.parse takes the last one in silence, so that a failure could become a
 * success. What stands inside `data` is JSON's own affair. For text that JSON.parse has taken.
 */
export function repeatedMember(json: string): string | null {
  const seen = new Set<string>();
  let depth = 0;
  let isName = false;
  SIGN.lastIndex = 0;
  for (let found = SIGN.exec(json); found !== null; found = SIGN.exec(json)) {
    const [sign] = found;
    if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") depth -= 1;
    else if (sign === '"') {
      const end = endOfString(json, found.index);
      SIGN.lastIndex = end;
      if (!isName || depth !== 1) continue;
      const name: unknown = JSON.parse(json.slice(found.index, end));
      if (typeof name !== "string" || !isMember(name)) continue;
      if (seen.has(name)) return name;
      seen.add(name);
    }
    isName = sign === "{" || sign === ",";
  }
  return null;
}
