/**
 * The router's own reading takes `?q=123` for a number and writes the text back as `?q=%22123%22`. Here a search
 * parameter is text, as everywhere else on the web; of one that is given twice the last counts.
 */
export const searchOfText = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

export function textOfSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const text = new URLSearchParams(given).toString();
  return text === "" ? "" : `?${text}`;
}
