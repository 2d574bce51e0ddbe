/** How many pages a test may read: a list that goes round in a circle fails instead of never ending. */
const MOST_PAGES = 100;

type Page<Row, Cursor> = { readonly rows: readonly Row[]; readonly next: Cursor | undefined };

/** Every row of a list, read from page to page. */
export async function everyPage<Row, Cursor>(
  read: (after: Cursor | undefined) => Promise<Page<Row, Cursor>>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let after: Cursor | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const page = await read(after);
    rows.push(...page.rows);
    if (page.next === undefined) return rows;
    after = page.next;
  }
  throw new Error(`a list did not end within ${MOST_PAGES} pages`);
}
