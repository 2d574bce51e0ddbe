import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { ShowMore } from "../settings/show-more.tsx";
import { Moment } from "../ui/moment.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import { Plate } from "../ui/plate.tsx";
import { aggregatePages, recordPages } from "./learning-queries.ts";
import { hitsInWords } from "./learning-words.ts";

/** What was kept to be answered again, and how often it was. */
export function CacheView() {
  const pages = useSuspenseInfiniteQuery(aggregatePages("capability"));
  const capabilities = pages.data.pages.flatMap(({ aggregates }) => aggregates);
  const asked = capabilities.filter(({ cache }) => cache.records + cache.hits + cache.misses > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-12">
      <Panel heading="By capability">
        {asked.length === 0 ? (
          <Notice aspect="unlit" title="The cache was not asked yet">
            <p>
              Tasks of SAP V2.0 whose <code className="font-mono text-[0.9em]">cachePolicy</code> prefers it,
              or asks for nothing else, are answered from it where a record fits.
            </p>
          </Notice>
        ) : (
          <>
            <ul aria-label="By capability" className="grid gap-4 lg:grid-cols-2">
              {asked.map(({ capability, cache }) => (
                <li key={capability} className="board min-w-0 p-4 sm:px-6">
                  <h3 className="anywhere mb-3 font-mono text-sm font-medium">{capability}</h3>
                  <dl>
                    <Fact name="Records">{cache.records}</Fact>
                    <Fact name="Answered by it">{hitsInWords(cache)}</Fact>
                    {cache.newestRecordAt !== null && cache.oldestRecordAt !== null && (
                      <Fact name="Written">
                        from <Moment at={cache.oldestRecordAt} /> to <Moment at={cache.newestRecordAt} />
                      </Fact>
                    )}
                  </dl>
                </li>
              ))}
            </ul>
            <ShowMore count={capabilities.length} pages={pages} />
          </>
        )}
      </Panel>
      <Panel heading="Records">
        <Records />
      </Panel>
    </div>
  );
}

function Records() {
  const pages = useSuspenseInfiniteQuery(recordPages());
  const records = pages.data.pages.flatMap((page) => page.records);
  if (records.length === 0)
    return (
      <p className="text-sm text-ink-soft">
        None: a success becomes one where its task asks for the cache, its evidence is valid and nothing of it
        was masked.
      </p>
    );
  return (
    <>
      <ul aria-label="Records" className="board divide-y divide-rule/70">
        {records.map(({ recordId, capability, territory, cacheKey, producer, storedAt, replaced }) => (
          <li key={recordId} className="min-w-0 px-4 py-3 text-sm sm:px-6">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="anywhere font-mono text-xs font-medium">
                {capability}
                {territory === null ? "" : ` in ${territory}`}
              </span>
              {replaced && <Plate>a newer one answers</Plate>}
              <span className="text-ink-soft">
                by {producer}, <Moment at={storedAt} exact />
              </span>
            </p>
            <p className="anywhere mt-1 font-mono text-xs text-ink-soft">{cacheKey}</p>
          </li>
        ))}
      </ul>
      <ShowMore count={records.length} pages={pages} />
    </>
  );
}
