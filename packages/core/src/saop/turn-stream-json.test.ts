import fc from "fast-check";
import type { Event } from "@signalbox/contracts/saop";
import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../redaction/policy.ts";
import { compileRedactor } from "../redaction/redactor.ts";
import { aCall, aPulse, aThought } from "./testing/reports.ts";
import { openTurnStream, takeEvents, type TurnStream } from "./turn-stream.ts";
import { printTurnStream, readSilentStream, saysNothing } from "./turn-stream-json.ts";

const plain = compileRedactor();
const strict = compileRedactor({
  ...DEFAULT_POLICY,
  patterns: [{ id: "staff-number", pattern: "EMP-\\d{4}" }],
});

function upTo(events: readonly Event[], redactor = plain): TurnStream {
  const arriving = events.map((event, index) => ({ event, index }));
  return takeEvents(redactor, openTurnStream(redactor), arriving, ({ event_id }) => event_id).stream;
}

describe("SAOP-13 a stream says nothing of what was said", () => {
  test("once its lines have ended, and while nothing waits", () => {
    const stream = upTo([aPulse(1, "EMP-1234 logs in"), aPulse(2, "key AKIA"), aCall(3, {})], strict);
    expect(saysNothing(stream)).toBe(true);
    const said = /EMP|1234|logs|key|AKIA/;
    expect(printTurnStream(stream)).not.toMatch(said);
    expect(saysNothing(upTo([aThought(1, "so", { isFinal: true })]))).toBe(true);
  });

  test.each([
    { name: "a chunk that may go on", events: [aThought(1, "so")] },
    { name: "the beginning of what may be a secret", events: [aThought(1, "ghp_")] },
    { name: "a key over many lines", events: [aPulse(1, "-----BEGIN RSA PRIVATE KEY-----")] },
    { name: "what waits for others", events: [aPulse(1, "line", { sequence: 1 })] },
  ])("not with $name", ({ events }) => {
    expect(saysNothing(upTo(events))).toBe(false);
  });

  test("whatever was said, however it was cut, and in whatever order it came", () => {
    const letters = fc.stringMatching(/^[W-Z]{2,9}$/);
    const said = fc.oneof(
      letters,
      fc.constantFrom(" ", "\n", "=", "-----BEGIN ", "PRIVATE KEY-----", "AKIA"),
    );
    const event = fc
      .tuple(fc.boolean(), fc.array(said, { minLength: 1 }), fc.nat())
      .map(([isLine, parts, arrival]) => ({ isLine, text: parts.join(""), arrival }));
    fc.assert(
      fc.property(
        fc.array(event, { maxLength: 8 }),
        fc.boolean(),
        fc.boolean(),
        (events, isStrict, comeAll) => {
          const placed = events.map(({ isLine, text, arrival }, place) => ({
            arrival,
            event: isLine
              ? aPulse(place, text.replaceAll("\n", " "), { sequence: place })
              : aThought(place, `${text}\n`, { sequence: place }),
          }));
          const arriving = placed
            .toSorted((one, other) => one.arrival - other.arrival)
            .map((one) => one.event)
            .slice(comeAll ? 0 : 1);
          const stream = upTo(arriving, isStrict ? strict : plain);
          const printed = printTurnStream(stream);
          expect(readSilentStream(printed)).toEqual(saysNothing(stream) ? stream : undefined);
          expect(saysNothing(stream) ? printed : "").not.toMatch(/[W-Z]/);
        },
      ),
    );
  });

  test("and what lies open is read as nothing else (D21)", () => {
    const stream = upTo([
      aPulse(1, "line"),
      aPulse(2, "line", { sequence: 3 }),
      aCall(3, {}, { sequence: 1 }),
    ]);
    const silent = { ...stream, held: [] };
    expect(readSilentStream(printTurnStream(silent))).toEqual(silent);
    const scan = { ...silent.pulse.scan, blindUntil: 1e15 };
    const others: unknown[] = [
      stream,
      { ...silent, pulse: { ...silent.pulse, scan } },
      { ...silent, pulse: { ...silent.pulse, line: "half" } },
      {
        ...silent,
        received: [
          [0, 3],
          [2, 5],
        ],
      },
      { ...silent, received: [[3, 0]] },
      { ...silent, more: 1 },
      null,
    ];
    for (const other of others) expect(readSilentStream(JSON.stringify(other))).toBeUndefined();
    expect(readSilentStream('{"received":[[0,3')).toBeUndefined();
  });
});
