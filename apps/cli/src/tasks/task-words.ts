/** As a person writes them; the server's names have a prefix. */
export const riskTiers = ["low", "normal", "critical"] as const;
export const priorities = ["low", "normal", "high", "critical"] as const;
