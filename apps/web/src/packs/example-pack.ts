/** An AgentManifest in protobuf JSON that every Signalbox of this version takes. */
const examplePack = {
  packId: "code-reviewer",
  packVersion: "1.0.0",
  capabilitySchemaVersion: "1.0.0",
  minOrchestratorVersion: "0.1.0",
  safetyTier: "RISK_TIER_NORMAL",
  supportedTaskTypes: ["review"],
  providedTools: ["git", "eslint"],
  ownerDomains: ["platform"],
  interface: {
    supportedSchemaVersions: ["1.0.0"],
    acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
    maxConcurrentTasks: 2,
    maxTaskDuration: "1800s",
  },
};

const onePropertyALine = (object: object): string =>
  `{\n${Object.entries(object)
    .map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join(",\n")}\n  }`;

/** One command for a POSIX shell: the key stays in a variable, out of the line and out of the shell's history. */
export function registerExamplePack(origin: string, packsEndpoint: string): string {
  return [
    `curl --fail-with-body ${origin}${packsEndpoint} \\`,
    `  --header "authorization: Bearer $SIGNALBOX_KEY" \\`,
    `  --header "content-type: application/json" \\`,
    `  --data '${onePropertyALine(examplePack)}'`,
  ].join("\n");
}
