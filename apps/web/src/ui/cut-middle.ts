/** A long id keeps its ends, by which people tell one from another. */
export function cutMiddle(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor((most - 1) / 2);
  return `${text.slice(0, most - 1 - tail).toWellFormed()}…${text.slice(text.length - tail).toWellFormed()}`;
}
