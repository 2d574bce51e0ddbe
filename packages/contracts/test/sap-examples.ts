/** The examples of SAP V2.0 §4.1 and §4.2, as they stand there. */
export const exampleTask = {
  protocolVersion: "2.0",
  taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
  parentTaskId: null,
  correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
  issuedAt: "2025-09-28T10:15:23Z",
  issuer: { agentId: "A-prime", agentKind: "agent", name: "AI Prime" },
  target: { agentId: "A-ml-001", capability: "consult.align" },
  constitutionalContext: {
    principles: ["systems_over_willpower", "blueprint_thinking", "strategic_pause"],
    pressure: { systems_over_willpower: 52, blueprint_thinking: 41, strategic_pause: 28 },
    objectives: ["Outline SAP V2 spec"],
    constraints: ["No PII", "Cite constitutional sources"],
    riskTolerance: "low",
    territory: "EUFM",
    references: ["ubos://constitution/books"],
    cachePolicy: { mode: "prefer", maxAgeSec: 86400, mustAlign: true },
  },
  payload: { topic: "UBOS SAP V2", depth: "detailed" },
  outputContract: { format: "json", schema: { type: "object" } },
  telemetry: { priority: "high", deadline: "2025-09-28T11:00:00Z", budget: { tokens: 8000 } },
  replyTo: { endpoint: "bus:inproc:prime", expectAck: true },
  tags: ["spec", "protocol"],
  meta: { clientVersion: "ubos/1.7.0" },
};

export const exampleResult = {
  protocolVersion: "2.0",
  taskId: "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
  correlationId: "a7f5d5b2-13a8-4a0d-9ba2-6b1e3c6f9d11",
  reportedAt: "2025-09-28T10:29:12Z",
  producer: { agentId: "A-ml-001", agentKind: "agent" },
  status: "SUCCEEDED",
  output: { sections: ["Purpose", "Objects", "Learning"] },
  artifacts: [{ uri: "file://reports/UBOS_SAP_V2.spec.md", kind: "md" }],
  metrics: { latencyMs: 842, tokensIn: 2100, tokensOut: 600 },
  constitutionalEvidence: {
    alignment: "VALID",
    pressureReadings: { systems_over_willpower: 52, blueprint_thinking: 41, strategic_pause: 28 },
    policyChecks: [
      {
        principle: "systems_over_willpower",
        status: "PASS",
        notes: "Protocolized behavior over ad‑hoc calls",
      },
      { principle: "blueprint_thinking", status: "PASS", notes: "Clear object model and schemas" },
    ],
    citations: ["ubos://constitution/books", "ubos://sap/v1"],
    cache: { hit: false },
  },
  meta: { versionHint: "sap/2.0" },
};
