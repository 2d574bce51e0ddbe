/** An entry, as far as its place among the others goes. */
type Placed = { readonly auditId: string };
type Page<E> = { readonly entries: readonly E[]; readonly nextCursor: string | null };

/**
 * What is known of a search: the entries from the newest down to where the first cursor begins, and the cursors from there
 * on. Pages below a cursor are not in here: they are fetched when they are scrolled to, and let go of.
 */
export type Register<E> = {
  readonly head: readonly E[];
  readonly cursors: readonly string[];
  /** How many the last page has; undefined while it was not read. */
  readonly lastPage: number | undefined;
  /** How many were put before what was there, since this register was begun. */
  readonly added: number;
};

export const begin = <E>({ entries, nextCursor }: Page<E>): Register<E> => ({
  head: entries,
  cursors: nextCursor === null ? [] : [nextCursor],
  lastPage: nextCursor === null ? 0 : undefined,
  added: 0,
});

/** With more rows a browser's page is too tall to be drawn exactly. */
export const MOST_ROWS = 50_000;
const STEP = MOST_ROWS / 2;
const MARGIN = MOST_ROWS / 5;

/**
 * Which row the page begins with; those before it take no room in it. Near the end of the rows that it can hold it begins further down, and near its beginning further up: whoever scrolls
 * goes on through millions of rows, and the page is never taller than it can be drawn.
 */
export function baseFor(base: number, view: { readonly first: number; readonly last: number }): number {
  if (view.last > MOST_ROWS - MARGIN) return base + STEP;
  if (base > 0 && view.first < MARGIN) return Math.max(0, base - STEP);
  return base;
}

/** How many rows the page has room for, of those that there are. */
export const roomFor = (rows: number, base: number): number => Math.min(MOST_ROWS, rows - base);

/**
 * What came since is put before what is there, so that nothing moves but what is above it. Where more came than a page
 * holds, what lies between is not known, and the register begins anew.
 */
export function addNewest<E extends Placed>(register: Register<E>, newest: Page<E>): Register<E> {
  const known = register.head[0]?.auditId;
  const at = newest.entries.findIndex(({ auditId }) => auditId === known);
  if (at === 0 || (known === undefined && newest.entries.length === 0)) return register;
  if (at === -1) return begin(newest);
  const added = newest.entries.slice(0, at);
  return { ...register, head: [...added, ...register.head], added: register.added + added.length };
}

/** The page of the last cursor was read: it ends the list, or gives the next cursor. */
export function addOlder<E>(register: Register<E>, cursor: string, page: Page<E>): Register<E> {
  if (register.cursors.at(-1) !== cursor || register.lastPage !== undefined) return register;
  return page.nextCursor === null
    ? { ...register, lastPage: page.entries.length }
    : { ...register, cursors: [...register.cursors, page.nextCursor] };
}

/** How many rows the list has now: places of a page that is still to be read are shown empty. */
export const rowsOf = ({ head, cursors, lastPage }: Register<unknown>, pageLength: number): number =>
  head.length + Math.max(0, cursors.length - 1) * pageLength + (lastPage ?? Math.min(pageLength, 8));

export type Place = { readonly page: number; readonly at: number };

/** Where a row's entry is: in the head (`page` -1), or so far into the page of a cursor. */
export const placeOf = ({ head }: Register<unknown>, row: number, pageLength: number): Place =>
  row < head.length
    ? { page: -1, at: row }
    : {
        page: Math.floor((row - head.length) / pageLength),
        at: (row - head.length) % pageLength,
      };

/** The rows that are to be drawn, first and last, with some more on either side so that scrolling meets no gap. */
export function rowsInView(
  { top, height }: { readonly top: number; readonly height: number },
  { rows, rowHeight, more }: { readonly rows: number; readonly rowHeight: number; readonly more: number },
): { readonly first: number; readonly last: number } {
  const first = Math.max(0, Math.floor(top / rowHeight) - more);
  const last = Math.min(rows - 1, Math.ceil((top + height) / rowHeight) + more);
  return { first: Math.min(first, Math.max(0, rows - 1)), last };
}
