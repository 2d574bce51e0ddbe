import { AuditEventType, HealthStatus } from "@signalbox/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decideStanding,
  effectiveHealth,
  GOOD_STANDING,
  probationAt,
  type Standing,
  type StandingEvent,
} from "./quarantine.ts";

const invalid: StandingEvent = { kind: "invalid-result", error: "trace_id differs" };
const valid: StandingEvent = { kind: "valid-result" };
const person = { type: "human", id: "ada" } as const;
const restore: StandingEvent = { kind: "restore", by: person, note: "" };

const after = (events: readonly StandingEvent[], from: Standing = GOOD_STANDING): Standing =>
  events.reduce((standing, event, at) => decideStanding(standing, event, 1_000 + at).standing, from);

test("QUAR-1 the third invalid result in a row quarantines, with an entry", () => {
  const decision = decideStanding(after([invalid, invalid]), invalid, 5_000);
  expect(decision).toMatchObject({
    kind: "quarantined",
    standing: { quarantinedAt: 5_000, consecutiveInvalid: 3 },
    entry: {
      eventType: AuditEventType.AGENT_QUARANTINED,
      rationale: "3 invalid results in a row, the last: trace_id differs",
      consecutiveInvalid: 3,
    },
  });
});

test("QUAR-2 a valid result sets the count back, and lifts no quarantine", () => {
  expect(after([invalid, invalid, valid, invalid, invalid]).quarantinedAt).toBeNull();
  expect(after([invalid, invalid, invalid, valid])).toMatchObject({
    consecutiveInvalid: 0,
    quarantinedAt: 1_002,
  });
});

test("QUAR-3 a person lifts it, with an entry; nobody else does", () => {
  const standing = after([invalid, invalid, invalid]);
  expect(decideStanding(standing, restore, 9_000)).toMatchObject({
    kind: "restored",
    standing: GOOD_STANDING,
    entry: { eventType: AuditEventType.AGENT_RESTORED, actor: person, lastError: "trace_id differs" },
  });
  for (const by of [
    { type: "agent", id: "a" },
    { type: "system", id: "s" },
  ] as const)
    expect(decideStanding(standing, { ...restore, by }, 9_000)).toEqual({
      kind: "refused",
      standing,
      reason: "not-a-person",
    });
  expect(decideStanding(GOOD_STANDING, restore, 9_000)).toMatchObject({
    kind: "refused",
    reason: "not-quarantined",
  });
});

test("QUAR-4 in quarantine invalid results are counted, and quarantine no second time", () => {
  const standing = after([invalid, invalid, invalid]);
  expect(decideStanding(standing, invalid, 9_000)).toMatchObject({
    kind: "counted",
    standing: { consecutiveInvalid: 4, quarantinedAt: 1_002 },
  });
});

test("QUAR-5 a heartbeat changes nothing, and does not speak of quarantine", () => {
  const standing = after([invalid, invalid, invalid]);
  expect(decideStanding(standing, { kind: "heartbeat" }, 9_000)).toEqual({ kind: "unchanged", standing });
  expect(effectiveHealth(standing, HealthStatus.HEALTHY)).toBe(HealthStatus.QUARANTINED);
  expect(effectiveHealth(GOOD_STANDING, HealthStatus.QUARANTINED)).toBe(HealthStatus.UNHEALTHY);
  expect(effectiveHealth(GOOD_STANDING, HealthStatus.DEGRADED)).toBe(HealthStatus.DEGRADED);
});

test("QUAR-6 a probation lifts it after its time; then one invalid result is enough", () => {
  const standing = after([invalid, invalid, invalid]);
  const probation: StandingEvent = { kind: "probation", afterMs: 60_000 };
  expect(decideStanding(standing, probation, 61_001)).toMatchObject({ kind: "refused", reason: "too-early" });
  expect(decideStanding(GOOD_STANDING, probation, 61_002)).toMatchObject({
    kind: "refused",
    reason: "not-quarantined",
  });
  const lifted = decideStanding(standing, probation, 61_002);
  expect(lifted).toMatchObject({
    kind: "restored",
    standing: { quarantinedAt: null, probationSince: 61_002, lastError: "trace_id differs" },
    entry: {
      eventType: AuditEventType.AGENT_RESTORED,
      action: "agent.restored-on-probation",
      rationale: expect.stringContaining("after 1m, on probation"),
      consecutiveInvalid: 3,
    },
  });
  const again = decideStanding(lifted.standing, invalid, 62_000);
  expect(again).toMatchObject({
    kind: "quarantined",
    standing: { quarantinedAt: 62_000, probationSince: null, consecutiveInvalid: 3 },
    entry: { rationale: "An invalid result on probation: trace_id differs" },
  });
  expect(decideStanding(again.standing, probation, 122_000)).toMatchObject({ kind: "restored" });
  expect(decideStanding(lifted.standing, probation, 99_000)).toMatchObject({ reason: "not-quarantined" });
});

test("QUAR-6 one valid result ends the probation, with an entry; from then on it takes three again", () => {
  const standing = { ...GOOD_STANDING, consecutiveInvalid: 2, lastError: "late", probationSince: 5 };
  const passed = decideStanding(standing, valid, 9_000);
  expect(passed).toMatchObject({
    kind: "passed",
    standing: GOOD_STANDING,
    entry: {
      eventType: AuditEventType.AGENT_RESTORED,
      action: "agent.passed-probation",
      consecutiveInvalid: 2,
      lastError: "late",
    },
  });
  expect(after([invalid, invalid], passed.standing).quarantinedAt).toBeNull();
  const both = { ...standing, quarantinedAt: 8_000 };
  expect(decideStanding(both, valid, 9_000)).toMatchObject({ standing: { quarantinedAt: 8_000 } });
  // Whoever counted meanwhile: on probation one is enough.
  expect(decideStanding({ ...standing, consecutiveInvalid: 0 }, invalid, 9_000).kind).toBe("quarantined");
});

test("QUAR-8 a person's quarantine is lifted by no probation, also where it came during one", () => {
  const probation: StandingEvent = { kind: "probation", afterMs: 1 };
  const quarantine: StandingEvent = { kind: "quarantine", by: person, note: "Its disk is full." };
  const onProbation = { ...GOOD_STANDING, consecutiveInvalid: 2, probationSince: 5 };
  for (const before of [GOOD_STANDING, onProbation]) {
    const { standing } = decideStanding(before, quarantine, 10);
    expect(standing).toMatchObject({ quarantinedAt: 10, probationSince: null });
    expect(probationAt(standing, 1)).toBeUndefined();
    const later = after([invalid, invalid, invalid], standing);
    expect(decideStanding(later, probation, 99_000)).toEqual({
      kind: "refused",
      standing: later,
      reason: "a-persons",
    });
  }
  const byResults = after([invalid, invalid, invalid]);
  expect([probationAt(byResults, 500), probationAt(byResults, undefined)]).toEqual([1_502, undefined]);
  expect(probationAt(GOOD_STANDING, 500)).toBeUndefined();
});

test("QUAR-1 QUAR-5 over any events: quarantined exactly by a third in a row, and lifted by nothing but a person or a probation", () => {
  const anyEvent = fc.constantFrom<StandingEvent>(invalid, invalid, valid, { kind: "heartbeat" }, restore, {
    kind: "probation",
    afterMs: 3,
  });
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 40 }), (events) => {
      let standing = GOOD_STANDING;
      for (const [now, event] of events.entries()) {
        const decision = decideStanding(standing, event, now);
        const was = standing.quarantinedAt !== null;
        const is = decision.standing.quarantinedAt !== null;
        expect(decision.kind === "quarantined").toBe(!was && is);
        expect(decision.kind === "restored").toBe(was && !is);
        const { probationSince } = decision.standing;
        expect(probationSince === null || !is).toBe(true);
        const reported = event.kind === "valid-result" || event.kind === "invalid-result";
        const begun = decision.kind === "restored" && event.kind === "probation" ? now : null;
        expect(probationSince).toBe(reported ? null : (standing.probationSince ?? begun));
        expect(!was && is && (event.kind !== "invalid-result" || standing.consecutiveInvalid < 2)).toBe(
          false,
        );
        expect(was && !is && event.kind !== "restore" && event.kind !== "probation").toBe(false);
        ({ standing } = decision);
      }
    }),
  );
});

test("QUAR-7 QUAR-8 a person makes theirs what results brought about: no probation lifts it then", () => {
  const before = after([invalid, invalid, invalid]);
  expect(probationAt(before, 1_000)).toBeDefined();
  const decision = decideStanding(
    before,
    { kind: "quarantine", by: person, note: "Not before Monday." },
    7_000,
  );
  expect(decision).toMatchObject({
    kind: "quarantined",
    standing: {
      quarantinedAt: 7_000,
      byResults: false,
      consecutiveInvalid: 3,
      lastError: "Not before Monday.",
    },
  });
  expect(probationAt(decision.standing, 1_000)).toBeUndefined();
});

test("QUAR-7 a person quarantines, with the reason and an entry, once; nobody else does", () => {
  const quarantine: StandingEvent = { kind: "quarantine", by: person, note: "Its disk is full." };
  const before = after([invalid]);
  const decision = decideStanding(before, quarantine, 7_000);
  expect(decision).toMatchObject({
    kind: "quarantined",
    standing: { quarantinedAt: 7_000, consecutiveInvalid: 1, lastError: "Its disk is full." },
    entry: {
      eventType: AuditEventType.AGENT_QUARANTINED,
      rationale: "Its disk is full.",
      actor: person,
      lastError: "trace_id differs",
    },
  });
  expect(decideStanding(decision.standing, quarantine, 8_000)).toMatchObject({
    kind: "refused",
    standing: decision.standing,
    reason: "quarantined-already",
  });
  expect(decideStanding(before, { ...quarantine, by: { type: "system", id: "key/x" } }, 7_000)).toMatchObject(
    { kind: "refused", standing: before, reason: "not-a-person" },
  );
  expect(decideStanding(decision.standing, restore, 9_000)).toMatchObject({
    kind: "restored",
    standing: GOOD_STANDING,
  });
});
