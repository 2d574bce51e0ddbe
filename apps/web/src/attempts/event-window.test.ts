import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { emptyWindow, type EventWindow, MOST_HELD, withNews, withPage } from "./event-window.ts";
import { comparePlaces, type WorkEvent } from "./work-event.ts";

const line = (turnIndex: number, sequence: number): WorkEvent => ({
  turnIndex,
  sequence,
  work: { kind: "line", text: `${turnIndex}.${sequence}`, masked: false },
});
const run = (count: number) => Array.from({ length: count }, (_, index) => line(index >> 3, index & 7));
const placesIn = ({ events }: EventWindow) =>
  events.map(({ turnIndex, sequence }) => `${turnIndex}.${sequence}`);

/** What the server answers over this run. */
const pageOf = (
  all: readonly WorkEvent[],
  window: EventWindow,
  direction: "newer" | "older",
  size: number,
) => {
  const [first, last] = [window.events[0], window.events.at(-1)];
  if (direction === "newer") {
    const rest = all.filter((event) => last === undefined || comparePlaces(event, last) > 0);
    return { events: rest.slice(0, size), more: rest.length > size };
  }
  const rest = all.filter((event) => first === undefined || comparePlaces(event, first) < 0);
  return { events: rest.slice(-size), more: rest.length > size };
};

describe("a window of events", () => {
  test("holds a stretch without a gap, whichever way it is walked, and knows which ends it has reached", () => {
    const steps = fc.array(fc.constantFrom("newer" as const, "older" as const), { maxLength: 12 });
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 1, max: 9 }),
        steps,
        (count, size, walk) => {
          const all = run(count);
          const half = all[count >> 1];
          let window: EventWindow =
            half === undefined
              ? emptyWindow
              : { events: [half], earlier: count >> 1 > 0, later: count > (count >> 1) + 1 };
          for (const direction of walk)
            window = withPage(window, direction, pageOf(all, window, direction, size));
          const from = all.findIndex((event) => event === window.events[0]);
          expect(window.events).toEqual(
            all.slice(Math.max(0, from), Math.max(0, from) + window.events.length),
          );
          expect(window.earlier).toBe(from > 0);
          expect(window.later).toBe(window.events.length > 0 && from + window.events.length < count);
        },
      ),
    );
  });

  test("takes news in any order and any number of times, and never across a gap", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(39), { maxLength: 60 }), fc.boolean(), (told, later) => {
        const all = run(40);
        let window: EventWindow = { events: all.slice(10, 20), earlier: true, later };
        for (const index of told) window = withNews(window, [all[index] ?? line(0, 0)]);
        const expected = all.filter(
          (_, index) => index >= 10 && (index < 20 || (!later && told.includes(index))),
        );
        expect(window.events).toEqual(expected);
      }),
    );
  });

  test("lets go of what was told behind a page that ends early, so that nothing between is passed over", () => {
    const all = run(40);
    const told = withNews({ events: all.slice(0, 5), earlier: false, later: false }, all.slice(30, 32));
    const window = withPage(told, "newer", { events: all.slice(5, 15), more: true });
    expect(window).toEqual({ events: all.slice(0, 15), earlier: false, later: true });
    expect(withPage(told, "newer", { events: all.slice(5), more: false }).events).toEqual(all);
  });

  test("that is empty because nothing came yet begins with the first news", () => {
    expect(placesIn(withNews(emptyWindow, [line(0, 1), line(0, 0)]))).toEqual(["0.0", "0.1"]);
  });

  test("holds no more than is held at most, and remembers where it let go", () => {
    const all = run(MOST_HELD + 50);
    const grown = withPage({ events: all.slice(0, 100), earlier: false, later: true }, "newer", {
      events: all.slice(100),
      more: false,
    });
    expect(grown).toMatchObject({ earlier: true, later: false });
    expect(grown.events).toHaveLength(MOST_HELD);
    const back = withPage(grown, "older", { events: all.slice(0, 50), more: false });
    expect(back).toMatchObject({ earlier: false, later: true });
    expect(back.events[0]).toEqual(all[0]);
    expect(withNews(grown, [line(9_999, 0)]).events).toHaveLength(MOST_HELD);
  });
});
