// Rows stand where they are put, one by one, so that a table of any length draws what is on the screen. Elements of a table
// that are laid out otherwise lose their meaning in some browsers: here the roles give it.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { Link } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { isTypedInto } from "../ui/typed-into.ts";
import { Button } from "../ui/button.tsx";
import { Moment } from "../ui/moment.tsx";
import { type AuditFilter } from "./audit-filter.ts";
import type { EntrySummary } from "./audit-queries.ts";
import { kindOf, reasonOf, titleOf } from "./event-words.ts";
import { roomFor } from "./register.ts";
import { useRegister } from "./use-register.ts";
import { useRowHeight, useRowWindow } from "./use-row-window.ts";

/** Room that is left above a row that is moved to by keyboard. */
const MARGIN = 96;

export function AuditList({ filter }: { filter: AuditFilter }) {
  const list = useRef<HTMLDivElement>(null);
  const { nameOf } = usePeople();
  const rowHeight = useRowHeight();
  const view = useRowWindow(list, rowHeight, filter);
  const { base, toTheNewest } = view;
  const { rows, entryAt, added, isWhole, error } = useRegister(filter, view);
  const { active, rowRef } = useRowKeys(list, { rows, base, rowHeight, added });
  const unseen = useStillness(list, { added, rowHeight });

  // More came than a page of the newest holds, so that the list began anew and is shorter than where one was.
  useEffect(() => {
    if (base > 0 && base >= rows) toTheNewest();
  }, [base, rows, toTheNewest]);

  const drawn = Array.from(
    { length: Math.max(0, Math.min(view.last, rows - 1) - view.first + 1) },
    (_, index) => view.first + index,
  );
  if (!drawn.includes(active) && active >= base && active < rows) drawn.push(active);
  return (
    <div className="grid gap-4">
      {(unseen > 0 || base > 0) && (
        <div className="sticky top-3 z-10 justify-self-center">
          <Button kind="main" onClick={toTheNewest}>
            {unseen > 0 ? `${unseen} new ${unseen === 1 ? "entry" : "entries"} above` : "Back to the newest"}
          </Button>
        </div>
      )}
      <div
        role="table"
        aria-label="Audit entries, the newest first"
        aria-rowcount={isWhole ? rows + 1 : -1}
        className="board overflow-hidden"
      >
        <Heads />
        <div
          ref={list}
          role="rowgroup"
          className="relative"
          style={{ height: Math.max(0, roomFor(rows, base)) * rowHeight, overflowAnchor: "none" }}
        >
          {drawn.map((row) => (
            <Row
              key={row}
              row={row}
              top={(row - base) * rowHeight}
              height={rowHeight}
              entry={entryAt(row)}
              nameOf={nameOf}
              isActive={row === active}
              linkRef={rowRef(row)}
            />
          ))}
        </div>
      </div>
      {error !== null && <ProblemNotice problem={problemOf(error)} />}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-ink-soft">
        <output>
          {isWhole ? `${rows} ${rows === 1 ? "entry" : "entries"}, which is all` : "More as you scroll"}
        </output>
        <span className="hidden md:inline">
          <Key>j</Key> <Key>k</Key> move, <Key>Enter</Key> opens
        </span>
      </p>
    </div>
  );
}

const Key = ({ children }: { children: string }) => (
  <kbd className="rounded-[3px] border border-track/45 px-1.5 font-mono text-xs">{children}</kbd>
);

const columns =
  "gap-x-5 border-b border-rule/70 px-4 text-sm sm:px-5 md:grid-cols-[14rem_minmax(0,1fr)_minmax(0,12rem)]";

/** On a narrow screen a row is no line of columns, and only who hears it is told which is which. */
const Heads = () => (
  <div role="rowgroup" className="max-md:sr-only">
    <div role="row" aria-rowindex={1} className={`grid py-2 text-xs text-ink-soft ${columns}`}>
      <span role="columnheader">When</span>
      <span role="columnheader">What and why</span>
      <span role="columnheader" className="md:text-right">
        Who and where
      </span>
    </div>
  </div>
);

type RowProps = {
  row: number;
  top: number;
  height: number;
  entry: EntrySummary | undefined;
  nameOf: (memberId: string) => string;
  isActive: boolean;
  linkRef: (link: HTMLAnchorElement | null) => void;
};

function Row({ row, top, height, entry, nameOf, isActive, linkRef }: RowProps) {
  const place = { height, transform: `translateY(${top}px)` };
  const frame = `absolute inset-x-0 top-0 grid content-center gap-y-0.5 ${columns}`;
  if (entry === undefined) {
    return (
      <div role="row" aria-rowindex={row + 2} style={place} className={frame}>
        <span role="cell" className="text-ink-soft">
          …
        </span>
      </div>
    );
  }
  const { eventType, actorId, recordedAt, pipelineId, packId, stageId } = entry;
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      style={place}
      className={`${frame} hover:bg-recess/60 has-[a:focus-visible]:bg-recess`}
    >
      <div role="cell" className="flex min-w-0 items-baseline gap-3 md:block">
        <div className="whitespace-nowrap tabular-nums">
          <Moment at={recordedAt} exact />
        </div>
        <div className="truncate text-xs text-ink-soft" title={eventType}>
          {kindOf(entry)}
        </div>
      </div>
      <div role="cell" className="min-w-0">
        <Link
          {...paths.auditEntry(entry.auditId)}
          ref={linkRef}
          preload={false}
          tabIndex={isActive ? 0 : -1}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          {titleOf(entry)}
        </Link>
        <div className="truncate text-ink-soft">{reasonOf(entry, nameOf) || "No reason was recorded."}</div>
      </div>
      <div role="cell" className="flex min-w-0 gap-3 text-xs text-ink-soft md:block md:text-right">
        <div className="truncate">by {actorId === "" ? "nobody named" : nameOf(actorId)}</div>
        <div className="truncate font-mono">{subjectOf({ pipelineId, packId, stageId })}</div>
      </div>
    </div>
  );
}

const subjectOf = ({
  pipelineId,
  stageId,
  packId,
}: Pick<EntrySummary, "pipelineId" | "stageId" | "packId">) =>
  stageId ?? packId ?? (pipelineId === null ? "" : `${pipelineId.slice(0, 8)}…${pipelineId.slice(-4)}`);

/** j and k move; the row that is moved to has the focus, so that Enter follows its link. */
function useRowKeys(
  list: { current: HTMLElement | null },
  { rows, base, rowHeight, added }: { rows: number; base: number; rowHeight: number; added: number },
) {
  const [active, setActive] = useState(0);
  const wanted = useRef<number>(undefined);
  const links = useRef(new Map<number, HTMLAnchorElement>());

  // What comes in above moves the active row down with its entry.
  const [seenAdded, setSeenAdded] = useState(added);
  if (added !== seenAdded) {
    setSeenAdded(added);
    if (active > 0) setActive(Math.max(0, active + added - seenAdded));
  }

  const move = useEffectEvent((event: KeyboardEvent) => {
    const step = event.key === "j" ? 1 : event.key === "k" ? -1 : 0;
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey || isTypedInto(event.target)) return;
    event.preventDefault();
    const isOn = links.current.get(active) === document.activeElement;
    const next = Math.min(rows - 1, Math.max(0, isOn ? active + step : active));
    wanted.current = next;
    setActive(next);
    scrollToRow(list.current, (next - base) * rowHeight, rowHeight);
    links.current.get(next)?.focus({ preventScroll: true });
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => move(event);
    window.addEventListener("keydown", listener);
    return () => window.removeEventListener("keydown", listener);
  }, []);

  const rowRef = (row: number) => (link: HTMLAnchorElement | null) => {
    if (link === null) links.current.delete(row);
    else {
      links.current.set(row, link);
      if (wanted.current === row) {
        wanted.current = undefined;
        link.focus({ preventScroll: true });
      }
    }
  };
  return { active, rowRef };
}

function scrollToRow(list: HTMLElement | null, offset: number, rowHeight: number): void {
  if (list === null) return;
  const top = list.getBoundingClientRect().top + offset;
  if (top < MARGIN) window.scrollBy({ top: top - MARGIN });
  else if (top + rowHeight > window.innerHeight - MARGIN)
    window.scrollBy({ top: top + rowHeight - window.innerHeight + MARGIN });
}

/** What comes in above must not move what somebody reads: the page is scrolled along, and says how many came. */
function useStillness(
  list: { current: HTMLElement | null },
  { added, rowHeight }: { added: number; rowHeight: number },
): number {
  const before = useRef(added);
  const [unseen, setUnseen] = useState(0);
  useLayoutEffect(() => {
    const came = added - before.current;
    before.current = added;
    if (came <= 0 || list.current === null || list.current.getBoundingClientRect().top >= 0) return;
    window.scrollBy({ top: came * rowHeight });
    setUnseen((count) => count + came);
  }, [added, list, rowHeight]);
  useEffect(() => {
    const seen = () => {
      if (list.current !== null && list.current.getBoundingClientRect().top >= 0) setUnseen(0);
    };
    window.addEventListener("scroll", seen, { passive: true });
    return () => window.removeEventListener("scroll", seen);
  }, [list]);
  return unseen;
}
