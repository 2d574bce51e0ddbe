const utf8 = new TextDecoder();

/**
 * What parseJson refused, as far as any reader makes something of it: to tell whom a refusal is for, and for nothing else.
 * Of two members of one name it has the last.
 */
export function glimpseJson(input: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof input === "string" ? input : utf8.decode(input));
  } catch {
    return undefined;
  }
}
