import { type CommonOptions, visit, type Visit } from "../connection/visit.ts";
import { CommandEnded, CommandFailure } from "../failure.ts";
import type { World } from "../world.ts";
import { entryLine } from "./entry-line.ts";
import type { Entry } from "./entries.ts";
import { filterQuery, type FilterOptions } from "./filters.ts";
import { pagesFrom, readPage } from "./read-entries.ts";
import { type Position, readTailCursor, tailWindow, type TailWindow } from "./tail-window.ts";

type Options = CommonOptions &
  Omit<FilterOptions, "from" | "to" | "words"> & {
    readonly after?: string | undefined;
    /** How many of the past to begin with. */
    readonly lines: number;
  };

/** What was found, and when by the server's clock. */
type Look = { readonly entries: readonly Entry[]; readonly answeredAt: Date | undefined };
const nothing: Look = { entries: [], answeredAt: undefined };

const EVERY_MS = 1_000;
const LONGEST_AWAY_MS = 10_000;

/** Tells entries as they are recorded, the oldest first, until it is interrupted; outlives a restart of the server. */
export async function tailAudit(world: World, options: Options): Promise<void> {
  const visiting = await visit(world, options);
  const query = filterQuery(options, world.now());
  const window = tailWindow(await startingPlace(visiting, query, options));
  // Refused, or not there, at the first look: that is an answer, and no outage.
  let found =
    window.from() === undefined
      ? await lastOnes(visiting, query, options)
      : await since(visiting, query, window);
  for (let awayMs = 0; !world.interrupted.aborted;) {
    await tell(visiting, window.fresh(found.entries, found.answeredAt));
    await world.sleep(EVERY_MS, world.interrupted);
    if (world.interrupted.aborted) break;
    try {
      found = await since(visiting, query, window);
      if (awayMs > 0) await visiting.printer.aside("It answers again.");
      awayMs = 0;
    } catch (error) {
      found = nothing;
      if (world.interrupted.aborted) break;
      if (!(error instanceof CommandFailure) || error.ending !== "unreachable") throw error;
      if (awayMs === 0) await visiting.printer.aside(`${error.message} Trying again; Ctrl-C stops.`);
      awayMs = Math.min(LONGEST_AWAY_MS, awayMs === 0 ? 500 : awayMs * 2);
      await world.sleep(awayMs, world.interrupted);
    }
  }
  const cursor = window.cursor();
  if (cursor !== undefined)
    await visiting.printer.aside(`\`signalbox audit tail --after ${cursor}\` goes on from here.`);
  throw new CommandEnded("interrupted");
}

type Query = Readonly<Record<string, string | undefined>>;

async function startingPlace(
  visiting: Visit,
  query: Query,
  { after, lines }: Options,
): Promise<Position | undefined> {
  if (after !== undefined) return readTailCursor(after);
  if (lines > 0) return undefined;
  const [newest] = (await lastOnes(visiting, query, { lines: 1 })).entries;
  return newest;
}

async function lastOnes(
  { client, world }: Visit,
  query: Query,
  { lines }: Pick<Options, "lines">,
): Promise<Look> {
  return readPage(client, { ...query, limit: Math.max(1, lines) }, world.interrupted);
}

/** All since the last look: more than a page may have come. */
async function since({ client, world }: Visit, query: Query, window: TailWindow): Promise<Look> {
  const entries: Entry[] = [];
  let answeredAt: Date | undefined;
  const pages = pagesFrom(client, { ...query, from: window.from() }, { signal: world.interrupted });
  for await (const page of pages) {
    entries.push(...page.entries);
    answeredAt ??= page.answeredAt;
    // Nothing was seen yet: the newest page is where it begins.
    if (window.from() === undefined) break;
  }
  return { entries, answeredAt };
}

async function tell({ printer }: Visit, entries: readonly Entry[]): Promise<void> {
  for (const entry of entries)
    await (printer.json ? printer.raw(`${entry.text}\n`) : printer.lines(entryLine(entry, printer)));
}
