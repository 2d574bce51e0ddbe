import { type CommonOptions, visit } from "../connection/visit.ts";
import { tellMore } from "../output/tell-more.ts";
import type { World } from "../world.ts";
import { entryLine } from "./entry-line.ts";
import type { Entry } from "./entries.ts";
import { filterQuery, type FilterOptions } from "./filters.ts";
import { readPage } from "./read-entries.ts";

type Options = CommonOptions &
  FilterOptions & { readonly limit: number; readonly cursor?: string | undefined };

const LARGEST_PAGE = 100;

/** The newest entries that fit, on a line each; `--json` gives each as it was recorded. */
export async function searchAudit(world: World, options: Options): Promise<void> {
  const { client, printer } = await visit(world, options);
  const query = filterQuery(options, world.now());
  const entries: Entry[] = [];
  let next = options.cursor;
  do {
    const limit = Math.min(LARGEST_PAGE, options.limit - entries.length);
    const page = await readPage(client, { ...query, cursor: next, limit });
    entries.push(...page.entries);
    next = page.nextCursor;
  } while (next !== undefined && entries.length < options.limit);
  if (printer.json) {
    const nextCursor = JSON.stringify(next ?? null);
    return printer.raw(
      `{"entries":[${entries.map(({ text }) => text).join(",")}],"nextCursor":${nextCursor}}\n`,
    );
  }
  if (entries.length === 0) await printer.aside("No entry fits.");
  await printer.lines(...entries.map((entry) => entryLine(entry, printer)));
  await tellMore(printer, next);
}
