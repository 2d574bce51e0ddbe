const utf8 = new TextDecoder();

/**
 * Bytes as the most lenient reader has them: it tells whom a refusal is for, also of what parseJson refuses, and nothing else is
 * to rest on it. Of two members of one name it has the last.
 */
export function glimpseJson(input: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof input === "string" ? input : utf8.decode(input));
  } catch {
    return undefined;
  }
}
