/** `RISK_TIER_NORMAL` is the wire's name; people say normal. A name this page does not know is shown as it is. */
export function riskTierInWords(tier: string): string {
  if (tier === "" || tier === "RISK_TIER_UNSPECIFIED") return "not stated";
  return tier.startsWith("RISK_TIER_") ? tier.slice("RISK_TIER_".length).toLowerCase() : tier;
}
