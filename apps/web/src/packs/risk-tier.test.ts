import { expect, test } from "vitest";
import { riskTierInWords } from "./risk-tier.ts";

test.each([
  ["RISK_TIER_CRITICAL", "critical"],
  ["RISK_TIER_UNSPECIFIED", "not stated"],
  ["", "not stated"],
  ["SEVERE", "SEVERE"],
  ["4", "4"],
])("the tier %j is said as %s", (tier, words) => {
  expect(riskTierInWords(tier)).toBe(words);
});
