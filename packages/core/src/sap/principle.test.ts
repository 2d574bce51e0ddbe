import { RiskTier } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { refusalOf } from "../testing/refusal-of.ts";
import { refuseUnderPressure, tierOf } from "./pressure.ts";
import { refuseMisspelt } from "./principle.ts";
import { principleRule, sapTask } from "./testing/task.ts";

const under = (pressureLevel: "instant" | "consulted" | "deliberated", calm: number) =>
  sapTask({}, { pressureLevel, pressure: { calm } }).constitutionalContext;

test("SAP-6 the pressure level is a tier, and pressure above a threshold asks a person or is refused", () => {
  const rules = [principleRule("calm", { escalateAbove: 60, refuseAbove: 90 })];
  expect(tierOf(under("instant", 60), rules)).toBe(RiskTier.LOW);
  expect(tierOf(under("consulted", 60), rules)).toBe(RiskTier.NORMAL);
  expect(tierOf(under("deliberated", 0), rules)).toBe(RiskTier.CRITICAL);
  expect(tierOf(under("instant", 60.5), rules)).toBe(RiskTier.CRITICAL);
  refuseUnderPressure(under("instant", 90), rules);
  expect(refusalOf(() => refuseUnderPressure(under("instant", 90.5), rules))).toMatchObject({
    code: "NON_CONSTITUTIONAL",
    violations: [{ field: "constitutionalContext.pressure.calm", rule: "refuse_above" }],
  });
});

test("SAP-15 a principle that the policy spells otherwise is refused by its field, with what it is called there", () => {
  const rules = [principleRule("strategic_pause", { refuseAbove: 90 }), principleRule("Ruhe")];
  const said =
    (principles: readonly string[], pressure: Readonly<Record<string, number>> = {}) =>
    () =>
      refuseMisspelt({ principles: [...principles], pressure }, rules);
  expect(said(["strategic_pause", "kindness", "Ruhe"], { strategic_pause: 95, calm: 99 })).not.toThrow();
  for (const spelt of [
    "Strategic_Pause",
    " strategic_pause",
    "strategicPause",
    "strategic-pause",
    "ｓtrategic_pause",
  ])
    expect(refusalOf(said(["kindness", spelt], { [spelt]: 99 }))).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [
        {
          field: "constitutionalContext.principles[1]",
          rule: "policy_name",
          message: `is "${spelt}"; the policy in force calls it "strategic_pause"`,
        },
        { field: `constitutionalContext.pressure.${spelt}` },
      ],
    });
  expect(() => refuseMisspelt({ principles: ["ruhe"] }, undefined)).not.toThrow();
  const unlike = [principleRule("काम"), principleRule("&")];
  expect(() => refuseMisspelt({ principles: ["कम", "§"], pressure: { "🙂": 1 } }, unlike)).not.toThrow();
  const both = [principleRule("calm"), principleRule("Calm")];
  expect(() => refuseMisspelt({ principles: ["calm", "Calm"] }, both)).not.toThrow();
});
