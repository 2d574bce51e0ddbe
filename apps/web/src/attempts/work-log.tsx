import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import type { Shown } from "./attempt-queries.ts";
import { foldWork } from "./fold-work.ts";
import { useAttemptNews } from "./use-attempt-news.ts";
import { type Opening, useEventWindow } from "./use-event-window.ts";
import { WorkLogRow } from "./work-log-row.tsx";

const NEAR = 12;

/**
 * What the agent tells of its work as it tells it: thoughts, calls of tools, lines of its terminal, turn by turn. Only the
 * rows in sight are in the page, and only a stretch of the events in memory, however many there are.
 */
export function WorkLog({
  pipelineId,
  dispatchId,
  shown,
  opening,
  atWork,
}: {
  pipelineId: string;
  dispatchId: string;
  shown: Shown;
  opening: Opening;
  atWork: boolean;
}) {
  const log = useEventWindow(dispatchId, shown, opening);
  const { events, earlier, later } = log.window;
  const rows = useMemo(() => foldWork(events), [events]);
  useAttemptNews(pipelineId, dispatchId, { events: log.hear, started: log.started });

  const scroller = useRef<HTMLDivElement>(null);
  // Its functions give something else after each scroll: nothing that is made of them may be kept, and nothing is.
  // oxlint-disable-next-line react/incompatible-library
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (rows[index]?.kind === "line" ? 22 : 40),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 10,
    // What comes before the rows in sight does not move them, and at the end the news is followed.
    anchorTo: "end",
    followOnAppend: atWork && !later,
  });
  const items = list.getVirtualItems();
  const [firstShown, lastShown] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];

  const settled = useFirstSight(rows.length > 0, () => {
    if (opening.at === "end") list.scrollToEnd();
    if (opening.at !== "turn") return;
    const turn = rows.findIndex(({ key }) => key === `turn ${opening.turnIndex}`);
    if (turn !== -1) list.scrollToIndex(turn, { align: "start" });
  });
  const reach = useEffectEvent(() => {
    if (firstShown < NEAR) log.readMore("older");
    if (lastShown > rows.length - NEAR) log.readMore("newer");
  });
  const mayRead = settled && log.reading === undefined && log.failure === null;
  useEffect(() => {
    if (mayRead) reach();
  }, [mayRead, firstShown, lastShown, rows.length]);

  if (log.failure !== null && rows.length === 0)
    return (
      <ProblemNotice problem={problemOf(log.failure)}>
        <Button onClick={log.tryAgain}>Try again</Button>
      </ProblemNotice>
    );
  if (!log.begun) return <output className="text-sm text-ink-soft">Reading what the agent told…</output>;
  if (rows.length === 0) return <NothingTold atWork={atWork} shown={shown} />;
  return (
    <div className="board">
      <div
        ref={scroller}
        role="log"
        aria-label="What the agent told of its work"
        aria-live="off"
        // A box that scrolls is reached by keyboard, and then by the arrows, Page Up and End.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        data-rows={rows.length}
        className="log-box px-4 py-3 sm:px-6"
      >
        <div className="relative w-full" style={{ height: list.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={list.measureElement}
                  data-index={index}
                  className="virtual-row"
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <WorkLogRow row={row} atWork={atWork} />
                </div>
              )
            );
          })}
        </div>
      </div>
      <footer className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 border-rule px-4 py-2 text-sm text-ink-soft sm:px-6">
        <output>
          {log.reading === undefined
            ? atWork && !later
              ? "Follows the agent"
              : wordsOf(earlier, later)
            : "Reading on…"}
        </output>
        <span className="tabular-nums">{events.length.toLocaleString()} events here</span>
      </footer>
      {log.failure !== null && (
        <div className="p-4">
          <ProblemNotice problem={problemOf(log.failure)}>
            <Button onClick={log.tryAgain}>Try again</Button>
          </ProblemNotice>
        </div>
      )}
    </div>
  );
}

function wordsOf(earlier: boolean, later: boolean): string {
  if (earlier && later) return "There is more before and behind";
  if (earlier) return "There is more before";
  return later ? "There is more behind" : "All of it";
}

/**
 * Scrolls once, to where the log begins, when its first rows are in the page; true from the frame after it on. Until then
 * the rows in sight are not those that somebody looks at, and reading on from them would read towards nowhere.
 */
function useFirstSight(hasRows: boolean, show: () => void): boolean {
  const [settled, setSettled] = useState(false);
  const showIt = useEffectEvent(show);
  useEffect(() => {
    if (!hasRows) return undefined;
    let frame = requestAnimationFrame(() => {
      showIt();
      frame = requestAnimationFrame(() => setSettled(true));
    });
    return () => cancelAnimationFrame(frame);
  }, [hasRows]);
  return settled;
}

const nouns: Record<Shown, string> = {
  all: "nothing of its work",
  thoughts: "no thoughts",
  tools: "no calls of tools",
  terminal: "no lines of a terminal",
};

const NothingTold = ({ atWork, shown }: { atWork: boolean; shown: Shown }) => (
  <Notice
    aspect="unlit"
    title={atWork ? `The agent has told ${nouns[shown]} yet` : `The agent told ${nouns[shown]}`}
  >
    <p>
      An agent may report its thoughts, its tools and its terminal while it works. They appear here as they
      come.
    </p>
  </Notice>
);
