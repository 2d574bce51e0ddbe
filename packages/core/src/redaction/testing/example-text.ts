import type { Alphabet, Example } from "../secret-rule.ts";

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const alnum = `${letters}${letters.toLowerCase()}0123456789`;
const alphabets: Record<Alphabet, string> = {
  digit: "0123456789",
  hex: "0123456789abcdef",
  lower: letters.toLowerCase(),
  "upper-alnum": `${letters}0123456789`,
  alnum,
  base64: `${alnum}+/`,
  base64url: `${alnum}-_`,
  printable: `${alnum}!$%*()_+-.,:{}|~^`,
};

/** An example with its fillers made up: the text, and the made-up parts in it. `next` gives numbers from 0 up to 1. */
export function assemble(example: Example, next: () => number): { text: string; secrets: string[] } {
  const secrets: string[] = [];
  const parts = example.map((part) => {
    if (typeof part === "string") return part;
    const alphabet = alphabets[part.of];
    const secret = Array.from({ length: part.length }, () =>
      alphabet.charAt(Math.floor(next() * alphabet.length)),
    ).join("");
    secrets.push(secret);
    return secret;
  });
  return { text: parts.join(""), secrets };
}

/** A generator with a seed, so that a failure can be seen again. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
