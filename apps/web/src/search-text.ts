/**
 * The router's own reading takes `?q=123` for a number and writes the text back as `?q=%22123%22`. Here a search
 * parameter is text, as everywhere else on the web; of one that is given twice the last counts.
 */
export const searchOfText = (search: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(search));

/** As much of a list's search as the server takes: a longer one would be refused, and the whole page with it. */
export const MOST_OF_A_SEARCH = 200;

/** What a list is searched for; undefined where that is nothing. Half of a character at the cut is no text. */
export const searchWords = (given: unknown, most = MOST_OF_A_SEARCH): string | undefined =>
  typeof given === "string" && given.trim() !== "" ? given.trim().slice(0, most).toWellFormed() : undefined;

export function textOfSearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  const text = new URLSearchParams(given).toString();
  return text === "" ? "" : `?${text}`;
}

/**
 * What a route makes of the address, and nothing else of it. The router lays what `validateSearch` gives over what the address
 * says, so that whatever it leaves out would reach the page as somebody typed it: here that is taken away by name.
 */
export const readsOnly =
  <Search extends object>(read: (search: Record<string, unknown>) => Search) =>
  (search: Record<string, unknown>): Search => ({
    ...Object.fromEntries(Object.keys(search).map((name) => [name, undefined])),
    ...read(search),
  });
