const numbers = new Intl.NumberFormat();

/** A file that holds something is never said to have no size. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return "less than 1 kB";
  const kilobytes = Math.round(bytes / 1000);
  return kilobytes < 1000
    ? `${numbers.format(kilobytes)} kB`
    : `${numbers.format(Math.round(bytes / 100_000) / 10)} MB`;
}
