import { ActorType, AuditEventType } from "@signalbox/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AlertCondition, conditionNames } from "./conditions.ts";
import { alertFired, alertResolved, type FiredAlert, stepAlerts } from "./fired-alerts.ts";

const NOW = 1_772_000_000_000;
const condition = (said: Partial<AlertCondition> = {}): AlertCondition => ({
  alert: "pack-out-of-service",
  severity: "SEV2",
  holdsFrom: NOW,
  detail: "The only instance of painter is away or not healthy.",
  packId: "painter",
  subject: "painter",
  ...said,
});
const fired = ({ alert, subject, packId, detail }: AlertCondition): FiredAlert => ({
  alert,
  subject,
  packId,
  detail,
});
const sure = new Set<never>();

test("ALERT-7 what holds fires once, and what is to come not yet; what holds no more is resolved", () => {
  const painter = condition();
  const toCome = condition({ subject: "baker", packId: "baker", holdsFrom: NOW + 1 });
  const first = stepAlerts([], { conditions: [painter, toCome], unsure: sure }, NOW);
  expect(first).toEqual({ fires: [painter], resolves: [] });
  // It is told in other words meanwhile, and is the same.
  const grown = condition({ detail: "Each of the 2 instances of painter is away or not healthy." });
  expect(stepAlerts([fired(painter)], { conditions: [grown], unsure: sure }, NOW)).toEqual({
    fires: [],
    resolves: [],
  });
  expect(stepAlerts([fired(painter)], { conditions: [toCome], unsure: sure }, NOW + 1)).toEqual({
    fires: [toCome],
    resolves: [fired(painter)],
  });
});

test("ALERT-8 nothing is resolved of what was not looked at as a whole, nor of what a newer program fired", () => {
  const known = [
    fired(condition()),
    fired(condition({ alert: "breaker-open", subject: "x" })),
    { ...fired(condition()), alert: "disk-nearly-full" },
  ];
  const unsure = new Set(["pack-out-of-service"] as const);
  expect(stepAlerts(known, { conditions: [], unsure }, NOW).resolves).toEqual([known[1]]);
});

test("ALERT-7 whatever held before and holds now: what was fired and not resolved is what holds", () => {
  const conditions = fc.uniqueArray(
    fc.record({
      alert: fc.constantFrom(...conditionNames),
      subject: fc.constantFrom("", "a", "b"),
      holdsFrom: fc.constantFrom(null, NOW - 1, NOW, NOW + 1),
    }),
    { selector: ({ alert, subject }) => `${alert} ${subject}` },
  );
  fc.assert(
    fc.property(fc.array(conditions, { maxLength: 6 }), (rounds) => {
      let known: readonly FiredAlert[] = [];
      for (const round of rounds) {
        const found = round.map((said) => condition(said));
        const { fires, resolves } = stepAlerts(known, { conditions: found, unsure: sure }, NOW);
        known = [...known.filter((one) => !resolves.includes(one)), ...fires.map(fired)];
        const names = known.map(({ alert, subject }) => `${alert} ${subject}`);
        const holding = found.filter(({ holdsFrom }) => holdsFrom === null || holdsFrom <= NOW);
        expect(new Set(names)).toEqual(new Set(holding.map(({ alert, subject }) => `${alert} ${subject}`)));
        expect(names).toHaveLength(new Set(names).size);
      }
    }),
  );
});

test("ALERT-7 both are on record in the orchestrator's name, with the pack where there is one", () => {
  const context = { tenantId: "north", requestId: "" };
  const painter = condition();
  expect(alertFired(context, painter, painter.detail)).toMatchObject({
    eventType: AuditEventType.ALERT_FIRED,
    actor: { type: ActorType.ORCHESTRATOR },
    packId: "painter",
    action: "fired the alert pack-out-of-service, SEV2",
    rationale: `${painter.detail} It holds since 2026-02-25T06:13:20.000Z.`,
  });
  const late = condition({ alert: "escalations-answered-late", holdsFrom: null, packId: null, subject: "" });
  expect(alertFired(context, late, "Late.")).toMatchObject({ packId: "", rationale: "Late." });
  expect(alertResolved(context, fired(painter))).toMatchObject({
    eventType: AuditEventType.ALERT_RESOLVED,
    packId: "painter",
    action: "resolved the alert pack-out-of-service",
    rationale: `It holds no more. When it fired: ${painter.detail}`,
  });
});
