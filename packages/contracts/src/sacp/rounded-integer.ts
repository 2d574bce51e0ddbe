/** Digits of which a double may not keep every one; no number of more than 309 is one. In a text they may stand too. */
const LONG_INTEGER = /(?<![\w.])-?\d{16,309}(?![\d.eE])/g;

/** An integer of the answer that a double rounds, such as a long id: as it is written; null where there is none. */
export function roundedInteger(data: unknown, text: string): string | null {
  const written = text.match(LONG_INTEGER);
  if (written === null) return null;
  const read = unsafeIntegers(data);
  if (read.size === 0) return null;
  const rounded = (digits: string): boolean => {
    const number = Number(digits);
    // What is printed again as it was written has lost nothing that was said.
    return read.has(number) && String(number) !== digits && BigInt(digits) !== BigInt(number);
  };
  return written.find(rounded) ?? null;
}

function unsafeIntegers(data: unknown): ReadonlySet<number> {
  const found = new Set<number>();
  const waiting = [data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
      found.add(value);
    // One by one: an argument each is more than a call takes.
    else if (typeof value === "object" && value !== null)
      for (const one of Object.values(value)) waiting.push(one);
  }
  return found;
}
