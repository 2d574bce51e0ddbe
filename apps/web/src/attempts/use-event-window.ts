import { useEffect, useEffectEvent, useReducer, useRef } from "react";
import { isShown, readEvents, type Shown } from "./attempt-queries.ts";
import { type Direction, emptyWindow, type EventWindow, withNews, withPage } from "./event-window.ts";
import type { Place, WorkEvent } from "./work-event.ts";

/** Where a log begins: at its end, where the news is, or at a turn. */
export type Opening =
  | { readonly at: "end" }
  | { readonly at: "start" }
  | { readonly at: "turn"; readonly turnIndex: number };

type Log = {
  readonly window: EventWindow;
  readonly reading: Direction | undefined;
  readonly begun: boolean;
  readonly failure: unknown;
  readonly failed: Direction;
  /** Told before the first page had come: alone they would be no stretch. */
  readonly early: readonly WorkEvent[];
};

type Happening =
  | { readonly kind: "reading"; readonly direction: Direction }
  | {
      readonly kind: "read";
      readonly direction: Direction;
      readonly page: { events: readonly WorkEvent[]; more: boolean };
    }
  | { readonly kind: "told"; readonly news: readonly WorkEvent[] }
  | { readonly kind: "failed"; readonly failure: unknown };

const unread: Log = {
  window: emptyWindow,
  reading: undefined,
  begun: false,
  failure: null,
  failed: "newer",
  early: [],
};

function next(log: Log, happening: Happening): Log {
  switch (happening.kind) {
    case "reading":
      return { ...log, reading: happening.direction, failure: null };
    case "read": {
      const window = withPage(log.window, happening.direction, happening.page);
      return {
        window: withNews(window, log.early),
        reading: undefined,
        begun: true,
        failure: null,
        failed: log.failed,
        early: [],
      };
    }
    case "told":
      if (!log.begun) return { ...log, early: [...log.early, ...happening.news] };
      return { ...log, window: withNews(log.window, happening.news) };
    case "failed":
      return { ...log, reading: undefined, failure: happening.failure, failed: log.reading ?? log.failed };
  }
}

/**
 * The part of an attempt's events that the page holds. It is made anew for another attempt, filter or opening (by its `key`),
 * and grows at its ends as they come into sight.
 */
export function useEventWindow(dispatchId: string, shown: Shown, opening: Opening) {
  const [log, happened] = useReducer(next, unread);
  const running = useRef<AbortController>(undefined);

  /** One page at a time; what was asked for by a log that is gone by then is nobody's. */
  const read = async (direction: Direction, than: Place | undefined): Promise<readonly WorkEvent[]> => {
    if (running.current !== undefined) return [];
    const aborted = new AbortController();
    running.current = aborted;
    happened({ kind: "reading", direction });
    try {
      const page = await readEvents(dispatchId, { direction, than, shown }, aborted.signal);
      if (aborted.signal.aborted) return [];
      running.current = undefined;
      happened({ kind: "read", direction, page });
      return page.events;
    } catch (failure) {
      if (aborted.signal.aborted) return [];
      running.current = undefined;
      happened({ kind: "failed", failure });
      return [];
    }
  };

  const begin = useEffectEvent(async () => {
    if (opening.at === "end") await read("older", undefined);
    else if (opening.at === "start") await read("newer", undefined);
    else {
      const [first] = await read("newer", { turnIndex: opening.turnIndex, sequence: -1 });
      // Whether there is anything before the turn that was asked for.
      await read("older", first ?? { turnIndex: opening.turnIndex, sequence: 0 });
    }
  });

  useEffect(() => {
    void begin();
    return () => {
      running.current?.abort();
      running.current = undefined;
    };
  }, []);

  const { window } = log;
  const [last] = window.events.slice(-1);
  const missed = useRef(false);
  const catchUp = useEffectEvent((reading: Direction | undefined) => {
    if (!missed.current || reading !== undefined) return;
    missed.current = false;
    if (!log.begun) void begin();
    else if (!window.later) void read("newer", last);
  });
  useEffect(() => catchUp(log.reading), [log.reading]);

  return {
    ...log,
    readMore: (direction: Direction) => {
      if (!log.begun || (direction === "newer" ? !window.later : !window.earlier)) return;
      void read(direction, direction === "newer" ? window.events.at(-1) : window.events[0]);
    },
    /** What the stream tells. */
    hear: (news: readonly WorkEvent[]) => {
      const own = news.filter(({ work }) => isShown(shown, work));
      if (own.length > 0) happened({ kind: "told", news: own });
    },
    /** What came before the stream tells, which begins, or begins anew: a page that is on its way may be older. */
    started: () => {
      missed.current = true;
      catchUp(log.reading);
    },
    tryAgain: () => {
      if (log.begun) void read(log.failed, log.failed === "newer" ? last : window.events[0]);
      else void begin();
    },
  };
}
