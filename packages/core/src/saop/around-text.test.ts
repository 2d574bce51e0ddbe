import type { Event } from "@signalbox/contracts/saop";
import { EventSchema } from "@signalbox/contracts/saop";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DEFAULT_POLICY, type RedactionPolicy } from "../redaction/policy.ts";
import { compileRedactor } from "../redaction/redactor.ts";
import { secretRules } from "../redaction/secret-rules.ts";
import { assemble, numbersFrom } from "../redaction/testing/example-text.ts";
import { maskAround } from "./around-text.ts";
import { maskEvent } from "./mask-report.ts";

const masking = (path: string): RedactionPolicy => ({
  ...DEFAULT_POLICY,
  always_redact: [...DEFAULT_POLICY.always_redact, path],
});
const redactors = [
  DEFAULT_POLICY,
  { ...DEFAULT_POLICY, patterns: [{ id: "hex", pattern: "[0-9a-f]{4}" }] },
  masking("event.event_id"),
  masking("event.sequence"),
  masking("event.session_id"),
  masking("payload.timestamp"),
  masking("payload.agent_id"),
  masking("payload.line"),
  masking("payload.chunk"),
].map((policy) => compileRedactor(policy));

const secret = fc.tuple(fc.nat({ max: secretRules.length - 1 }), fc.nat()).map(([rule, seed]) => {
  const [parts] = secretRules[rule]?.masks ?? [];
  return assemble(parts ?? [], numbersFrom(seed)).text;
});
const text = fc.oneof(fc.string({ minLength: 1 }), secret);
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/** What a sender adds is of any name, even one that another payload binds. */
const added = sometimes(
  fc.tuple(fc.constantFrom("note", "token", "timestamp", "agent_id", "masked"), text),
).map((one) => (one === undefined ? {} : { [one[0]]: one[1] }));
const timestamp = fc
  .date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })
  .chain((date) =>
    fc.constantFrom(
      date.toISOString(),
      date.toISOString().replace(/\.\d+Z$/, ".123456789012345678901+00:00"),
    ),
  );

const thought = fc.tuple(
  added,
  fc.record({
    type: fc.constant("THOUGHT_STREAM" as const),
    agent_id: fc.constantFrom("researcher", "architect", "developer", "reviewer"),
    turn_index: fc.nat(),
    chunk: text,
    is_final: fc.boolean(),
  }),
);
const pulse = fc.tuple(
  added,
  fc.record({ type: fc.constant("SANDBOX_PULSE" as const), line: text, masked: fc.boolean(), timestamp }),
);
const event: fc.Arbitrary<Event> = fc
  .record({
    extra: added,
    event_id: fc.uuid(),
    session_id: text,
    sequence: sometimes(fc.nat()),
    turn_index: sometimes(fc.nat()),
    payload: fc.oneof(thought, pulse).map(([more, own]) => Object.assign({}, more, own)),
  })
  .map(({ extra, ...own }) => EventSchema.parse(JSON.parse(JSON.stringify({ ...extra, ...own }))));

const withText = (said: Event, field: string, value: string): Event => ({
  ...said,
  payload: { ...said.payload, [field]: value },
});

test("SAOP-8 what stands around a text is masked as all else is, also where that is told by its schema alone", () => {
  fc.assert(
    fc.property(event, fc.constantFrom(...redactors), (said, redactor) => {
      const streamed =
        said.payload.type === "THOUGHT_STREAM"
          ? ({ type: "THOUGHT_STREAM", field: "chunk" } as const)
          : ({ type: "SANDBOX_PULSE", field: "line" } as const);
      const { field } = streamed;
      const around = maskAround(redactor, said, streamed);
      const probe = withText(said, field, "text");
      const whole = maskEvent(redactor, probe).value;
      expect(around.isAsSaid).toBe(whole === probe);
      expect(around.masksText).toBe(Reflect.get(Object(whole["payload"]), field) !== "text");
      const kept: unknown = { ...around.value, payload: { ...Object(around.value["payload"]), [field]: 0 } };
      expect(kept).toEqual({ ...whole, payload: { ...Object(whole["payload"]), [field]: 0 } });
    }),
    { numRuns: 500 },
  );
});
