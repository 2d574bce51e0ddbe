import { type DispatchPlace, readDispatchId } from "@signalbox/core";
import {
  type EventPlace,
  hasAttempt,
  listConfidences,
  listEventWindow,
  listTurnsOfAttempt,
  type TenantTransaction,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { pageLimit } from "../page.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { type EventType, eventTypes } from "./read-events.ts";
import type { TurnView } from "./read-turns.ts";
import { unknownDispatch } from "./reported-dispatches.ts";

/** A screen shows fifty rows, and a burst has thousands; a line alone may have a megabyte. */
const MOST_EVENTS = 200;
const MOST_BYTES = 1_048_576;
/** No line shows more points. */
const MOST_CONFIDENCES = 10_000;

async function ofAttempt<T>(
  system: System,
  { caller }: Asked,
  dispatchId: string,
  read: (tx: TenantTransaction, place: DispatchPlace) => Promise<T>,
): Promise<T> {
  authorise(caller, "trace.read", undefined);
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw unknownDispatch(dispatchId);
  return transact(system, caller.tenantId, async (tx) => {
    if (!(await hasAttempt(tx, place))) throw unknownDispatch(dispatchId);
    return read(tx, place);
  });
}

type AttemptEvent = EventPlace & { readonly receivedAt: Date; readonly event: unknown };

export type AttemptEvents = {
  /** By turn and sequence, whichever way they were asked for. */
  readonly events: readonly AttemptEvent[];
  /** Whether there are more, in the direction that was asked for. */
  readonly more: boolean;
};

/**
 * What an attempt reported, from a place on in either direction, so that the last of fifty thousand is one page away. The
 * place is the event's own, and stays it whatever comes in before it.
 */
export async function readAttemptEvents(
  system: System,
  asked: Asked,
  page: {
    readonly dispatchId: string;
    readonly direction: "newer" | "older";
    readonly than?: EventPlace | undefined;
    readonly types?: readonly EventType[] | undefined;
  },
): Promise<AttemptEvents> {
  const { direction, than, types = eventTypes } = page;
  const { found, more } = await ofAttempt(system, asked, page.dispatchId, async (tx, place) => {
    const window = { direction, types, mostBytes: MOST_BYTES };
    const rows = await listEventWindow(tx, place, { ...window, than, limit: MOST_EVENTS });
    const last = rows.at(-1);
    if (last === undefined) return { found: rows, more: false };
    const next = await listEventWindow(tx, place, { ...window, than: last, limit: 1 });
    return { found: rows, more: next.length > 0 };
  });
  const events = found.map(({ turnIndex, sequence, receivedAt, event }) => ({
    turnIndex,
    sequence,
    receivedAt: new Date(receivedAt),
    event: JSON.parse(event) as unknown,
  }));
  return { events: direction === "newer" ? events : events.toReversed(), more };
}

export type AttemptTurns = {
  readonly turns: readonly (Pick<TurnView, "receivedAt" | "turn" | "marks"> & {
    readonly turnIndex: number;
  })[];
  readonly more: boolean;
};

type TurnPage = {
  readonly dispatchId: string;
  readonly after?: number | undefined;
  /** So many of the last ones, in their order, instead of those from the first on. */
  readonly newest?: number | undefined;
};

export async function readAttemptTurns(
  system: System,
  asked: Asked,
  { dispatchId, after, newest }: TurnPage,
): Promise<AttemptTurns> {
  const most = newest ?? pageLimit.usual;
  const from = newest === undefined ? "first" : "newest";
  const rows = await ofAttempt(system, asked, dispatchId, (tx, place) =>
    listTurnsOfAttempt(tx, place, { after, from, limit: most + 1 }),
  );
  const found = rows.slice(0, most);
  return {
    turns: (newest === undefined ? found : found.toReversed()).map(
      ({ turnIndex, receivedAt, turn, marks }) => ({
        turnIndex,
        receivedAt,
        turn: JSON.parse(turn) as unknown,
        marks: JSON.parse(marks) as unknown,
      }),
    ),
    more: rows.length > most,
  };
}

export type AttemptConfidence = { readonly turnIndex: number; readonly confidence: number };

/** What each turn claimed: all of them, where the turns themselves come page by page. */
export const readConfidences = (
  system: System,
  asked: Asked,
  dispatchId: string,
): Promise<readonly AttemptConfidence[]> =>
  ofAttempt(system, asked, dispatchId, (tx, place) => listConfidences(tx, place, MOST_CONFIDENCES));
