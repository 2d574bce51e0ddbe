import fc from "fast-check";
import type { Event } from "@signalbox/contracts/saop";
import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "../redaction/policy.ts";
import { compileRedactor, redactText, type Redactor } from "../redaction/redactor.ts";
import { secretRules } from "../redaction/secret-rules.ts";
import { assemble, numbersFrom } from "../redaction/testing/example-text.ts";
import { refusalOf } from "../testing/refusal-of.ts";
import { MOST_GAPS, MOST_HELD_CHARACTERS, MOST_HELD_EVENTS } from "./limits.ts";
import { aCall, aPulse, aThought } from "./testing/reports.ts";
import { type KeptEvent, openTurnStream, takeEvents, type TurnStream } from "./turn-stream.ts";
import { printTurnStream, readTurnStream } from "./turn-stream-json.ts";

const plain = compileRedactor();
const strict = compileRedactor({
  ...DEFAULT_POLICY,
  patterns: [{ id: "staff-number", pattern: "EMP-\\d{4}" }],
});

const fingerprintOf = ({ event_id }: Event): string => `of ${event_id}`;

/** As the reports come: what is kept of each is there before the next, and the state goes through its stored form. */
function report(redactor: Redactor, batches: readonly (readonly Event[])[], from?: TurnStream) {
  const kept: KeptEvent[] = [];
  let stream = from ?? openTurnStream(redactor);
  for (const events of batches) {
    const arriving = events.map((event, index) => ({ event, index }));
    const taken = takeEvents(redactor, stream, arriving, fingerprintOf);
    kept.push(...taken.kept);
    stream = readTurnStream(printTurnStream(taken.stream));
  }
  return { kept: kept.toSorted((one, other) => one.sequence - other.sequence), stream };
}

const textOf = (kept: readonly KeptEvent[]): string =>
  kept.map(({ event }) => String(Reflect.get(Object(event["payload"]), "chunk") ?? "")).join("");
const lineOf = ({ event }: KeptEvent): unknown => Reflect.get(Object(event["payload"]), "line");
const isMasked = ({ event }: KeptEvent): unknown => Reflect.get(Object(event["payload"]), "masked");

const example = fc
  .tuple(fc.nat({ max: secretRules.length - 1 }), fc.nat(), fc.nat())
  .map(([rule, position, seed]) => {
    const masks = secretRules[rule]?.masks ?? [];
    return assemble(masks[position % masks.length] ?? [], numbersFrom(seed));
  });
const words = fc.constantFrom("", " ", "I look at the log\n", "so ", '{"a":', "password=", "EMP-1234 ");

/** A text with a secret of some rule in it, cut anywhere, each chunk with its place, in the order in which they arrive. */
const splitSecret = fc
  .record({
    before: words,
    example,
    after: words,
    cuts: fc.array(fc.nat(), { maxLength: 12 }),
    arrival: fc.array(fc.nat(), { minLength: 14, maxLength: 14 }),
    batched: fc.boolean(),
  })
  .map(({ before, example: { text, secrets }, after, cuts, arrival, batched }) => {
    const whole = before + text + after;
    const places = [...new Set(cuts.map((cut) => cut % (whole.length + 1)))].toSorted((a, b) => a - b);
    const edges = [0, ...places, whole.length];
    const chunks = edges.slice(1).map((end, index) => whole.slice(edges[index], end));
    const events = chunks.map((chunk, sequence) =>
      aThought(sequence, chunk, { sequence, isFinal: sequence === chunks.length - 1 }),
    );
    const shuffled = events
      .map((event, index) => ({ event, key: arrival[index] ?? 0 }))
      .toSorted((one, other) => one.key - other.key)
      .map(({ event }) => event);
    return { whole, secrets, batches: batched ? [shuffled] : shuffled.map((event) => [event]) };
  });

/** RED-4: what a rule knows leaves no twelve characters in a row. */
const partsOf = (secret: string): string[] =>
  Array.from({ length: Math.max(0, secret.length - 11) }, (_, at) => secret.slice(at, at + 12));

describe.each([
  ["the built-in rules", plain],
  ["a tenant's patterns as well", strict],
])("SAOP-8 with %s", (_name, redactor) => {
  test("chunks kept, joined, are the redaction of the whole, wherever they were cut and however they arrive", () => {
    fc.assert(
      fc.property(splitSecret, ({ whole, batches }) => {
        expect(textOf(report(redactor, batches).kept)).toBe(redactText(redactor, whole).text);
      }),
      { numRuns: 600 },
    );
  });

  test("at no moment does anything kept hold a part of the secret", () => {
    fc.assert(
      fc.property(splitSecret, ({ secrets, batches }) => {
        for (let count = 1; count <= batches.length; count++) {
          const shown = textOf(report(redactor, batches.slice(0, count)).kept);
          for (const part of secrets.flatMap(partsOf)) expect(shown).not.toContain(part);
        }
      }),
      { numRuns: 300 },
    );
  });
});

test("SAOP-8 nothing is cut or summarised: a thought without secrets is kept character by character", () => {
  const letters = Array.from("The lock is taken twice; I release it first. ".repeat(20));
  const events = letters.map((letter, sequence) => aThought(sequence, letter, { sequence }));
  const last = aThought(9_999, "", { sequence: letters.length, isFinal: true });
  expect(textOf(report(plain, [[last], events.toReversed()]).kept)).toBe(letters.join(""));
});

const keyLines = [
  "$ cat key.pem",
  "-----BEGIN RSA PRIVATE KEY-----",
  "MIIEowIBAAKCAQEA7V3k",
  "-----END RSA PRIVATE KEY-----",
  "done",
];

test("SAOP-8 a key that is printed over many lines is masked on each, whatever order the lines arrive in", () => {
  const events = keyLines.map((line, sequence) => aPulse(sequence, line, { sequence }));
  const { kept } = report(plain, [events.toReversed().slice(0, 3), events.slice(0, 2)]);
  const masked = "[redacted:private-key]";
  expect(kept.map(lineOf)).toEqual([keyLines[0], masked, masked, masked, "done"]);
  expect(kept.map(isMasked)).toEqual([false, true, true, true, false]);
});

const someLine = fc.oneof(
  fc.constantFrom(
    ...keyLines,
    "all is well",
    "",
    "test 3 of the suite passed",
    "EMP-1234",
    "pass",
    "[redacted:jwt]",
    "two\nlines",
  ),
  example.map(({ text }) => text),
);

test.each([
  ["the built-in rules", plain],
  ["a tenant's patterns as well", strict],
])("SAOP-8 with %s lines that come together are kept as each by itself would be", (_name, redactor) => {
  fc.assert(
    fc.property(
      fc.array(someLine, { maxLength: 6 }),
      fc.array(someLine, { maxLength: 6 }),
      (first, second) => {
        const events = [...first, ...second].map((line, number) => aPulse(number, line));
        const halves = [events.slice(0, first.length), events.slice(first.length)];
        const together = report(redactor, halves);
        const apart = report(
          redactor,
          events.map((event) => [event]),
        );
        expect(together).toEqual(apart);
      },
    ),
    { numRuns: 400 },
  );
});

test("SAOP-9 a session's id that holds a secret is masked, also right behind and before one that holds none", () => {
  const token = assemble(["ghp_", { of: "alnum", length: 36 }], numbersFrom(1)).text;
  const sessions = ["s", token, token, "s"].map((session_id, number) =>
    Object.assign(aPulse(number, "x"), { session_id }),
  );
  const shown = report(plain, [sessions]).kept.map(({ event }) => event["session_id"]);
  const masked = expect.stringMatching(/^\[redacted:/);
  expect(shown).toEqual(["s", masked, masked, "s"]);
});

test("SAOP-8 a key that is printed over the end of a turn is masked in the next one", () => {
  const first = report(plain, [keyLines.slice(0, 2).map((line, number) => aPulse(number, line))]);
  const next = openTurnStream(plain, first.stream);
  const { kept } = report(plain, [keyLines.slice(2).map((line, number) => aPulse(9 + number, line))], next);
  expect(kept.map(lineOf)).toEqual(["[redacted:private-key]", "[redacted:private-key]", "done"]);
});

test("SAOP-5 events stand by sequence whatever order they arrive in; one without stands behind all so far", () => {
  const { kept } = report(plain, [
    [aCall(1, {}, { sequence: 2 })],
    [aCall(2, {})],
    [aCall(3, {}, { sequence: 0 }), aCall(4, {}, { sequence: 1 }), aCall(5, {})],
  ]);
  expect(kept.map(({ event, sequence }) => [event["event_id"], sequence])).toEqual(
    [3, 4, 1, 2, 5].map((number, sequence) => [aCall(number, {}).event_id, sequence]),
  );
});

test("SAOP-6 a sequence that another event has is refused by its place in the batch", () => {
  const { stream } = report(plain, [[aThought(1, "a", { sequence: 0 })]]);
  const second = [
    { event: aThought(2, "b", { sequence: 1 }), index: 0 },
    { event: aThought(3, "c", { sequence: 0 }), index: 1 },
  ];
  expect(refusalOf(() => takeEvents(plain, stream, second, fingerprintOf)).violations).toEqual([
    { field: "[1].sequence", rule: "unique", message: expect.stringContaining("0 is another event's") },
  ]);
});

test("SAOP-7 a chunk and a line wait for their predecessors; a tool call is kept when it comes", () => {
  const early = [
    aThought(1, "b", { sequence: 2, isFinal: true }),
    aPulse(2, "line", { sequence: 3 }),
    aCall(3, {}, { sequence: 4 }),
  ];
  const first = report(plain, [early]);
  expect(first.kept.map(({ type }) => type)).toEqual(["TOOL_LIFECYCLE_INVOKED"]);
  const rest = report(
    plain,
    [[aThought(4, "a", { sequence: 0 })], [aCall(5, {}, { sequence: 1 })]],
    first.stream,
  );
  expect(rest.kept.map(({ sequence }) => sequence)).toEqual([0, 1, 2, 3]);
  expect(textOf(rest.kept)).toBe("ab");
  expect(rest.stream.held).toEqual([]);
});

test("SAOP-9 what was masked is marked, and what was not is not", () => {
  const token = assemble(["ghp_", { of: "alnum", length: 36 }], numbersFrom(1)).text;
  const { kept } = report(plain, [
    [aThought(1, "plain "), aThought(2, `${token} `), aThought(3, "end", { isFinal: true })],
    [aPulse(4, `token ${token}`), aPulse(5, "clean"), aCall(6, { header: token })],
  ]);
  expect(kept.map(isMasked)).toEqual([undefined, true, undefined, true, false, undefined]);
  expect(JSON.stringify(kept[5]?.event)).toContain("[redacted:");
  expect(JSON.stringify(kept)).not.toContain(token);
});

test("SAOP-9 the text of an event goes along where what is kept is what was said, and with nothing that waits", () => {
  const said = [
    aPulse(1, "all is well", { sequence: 0 }),
    aPulse(2, "EMP-1234 is here", { sequence: 1 }),
    aPulse(3, "later", { sequence: 3 }),
  ];
  const arriving = said.map((event, index) => ({ event, index, text: JSON.stringify(event) }));
  const { kept, stream } = takeEvents(strict, openTurnStream(strict), arriving, fingerprintOf);
  expect(kept.map(({ text }) => text)).toEqual([JSON.stringify(said[0]), undefined]);
  expect(stream.held).toEqual([{ event: said[2], sequence: 3 }]);
  expect(JSON.stringify(stream.held)).not.toContain('"text"');
});

test("SAOP-9 a policy that masks the whole field masks it whatever it says", () => {
  const whole = compileRedactor({ ...DEFAULT_POLICY, always_redact: ["**/*.chunk", "**/*.line"] });
  const { kept } = report(whole, [[aThought(1, "so", { isFinal: true }), aPulse(2, "out")]]);
  expect(kept.map(({ event }) => event["payload"])).toMatchObject([
    { chunk: "[redacted:policy-path]", masked: true },
    { line: "[redacted:policy-path]", masked: true },
  ]);
});

const refused = (events: readonly Event[]) => refusalOf(() => report(plain, [events])).violations;

describe("SAOP-10 what waits is bounded, and the refusal names what is missing", () => {
  test("in number", () => {
    const waiting = Array.from({ length: MOST_HELD_EVENTS + 1 }, (_, number) =>
      aThought(number, "x", { sequence: number + 1 }),
    );
    expect(refused(waiting)).toMatchObject([
      { rule: "no_gap", message: expect.stringContaining("sequence 0") },
    ]);
  });

  test("in characters", () => {
    const chunk = "x".repeat(MOST_HELD_CHARACTERS / 2);
    expect(refused([1, 2].map((sequence) => aThought(sequence, chunk, { sequence })))).toMatchObject([
      { field: "[1].sequence", rule: "no_gap" },
    ]);
  });

  test("in gaps", () => {
    const apart = Array.from({ length: MOST_GAPS + 1 }, (_, number) =>
      aCall(number, {}, { sequence: number * 2 + 1 }),
    );
    expect(refused(apart)).toMatchObject([{ field: `[${MOST_GAPS}].sequence`, rule: "no_gap" }]);
    expect(report(plain, [apart.slice(0, -1)]).kept).toHaveLength(MOST_GAPS);
  });
});

test("SAOP-11 a stream's state is read back as it was, wherever it stands", () => {
  fc.assert(
    fc.property(splitSecret, ({ batches }) => {
      let stream = openTurnStream(plain);
      for (const events of batches.slice(0, -1)) {
        const arriving = events.map((event, index) => ({ event, index }));
        ({ stream } = takeEvents(plain, stream, arriving, fingerprintOf));
        expect(readTurnStream(printTurnStream(stream))).toEqual(stream);
      }
    }),
    { numRuns: 200 },
  );
});
