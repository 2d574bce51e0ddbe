import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Priority, RefType, RiskTier, type TaskEnvelope, TaskEnvelopeSchema } from "../src/index.ts";

const MOMENT = timestampFromMs(1_772_000_000_000);

/** An ordinary dispatch of 2 KB: every section is there, and every rule that an envelope can meet is met. */
export function benchEnvelope(): TaskEnvelope {
  return create(TaskEnvelopeSchema, {
    protocolVersion: {
      schemaVersion: "1.0.0",
      policyVersion: "1.4.0",
      capabilitySchemaVersion: "1.0.0",
      packVersion: "2.1.0",
      minOrchestratorVersion: "0.9.0",
    },
    contract: {
      taskId: "importer-retry-budget",
      title: "Give the importer a retry budget",
      ownerDomain: "importer",
      acceptanceCriteria: [
        "Retries of one file stop when its budget is spent, and the file is listed as failed",
        "The budget can be set for each source, and its default is three",
        "A file that succeeds gives its budget back",
      ],
      nonGoals: ["A queue of its own", "Changes to the scheduler"],
      expectedFiles: { create: ["src/retry-budget.ts"], modify: ["src/importer.ts", "src/config.ts"] },
      tests: { testsToAdd: ["src/retry-budget.test.ts"], testsToRun: ["vitest run src/importer.test.ts"] },
      io: { dependencies: ["node", "pnpm"], expectedInterfaces: ["RetryBudget.take(source)"] },
      environment: { lintCommand: "oxlint", typecheckCommand: "tsc -b", testCommand: "vitest run" },
      definitionOfDone: ["The guide of the importer names the budget"],
    },
    trace: {
      traceId: "0af7651916cd43dd8448eb211c80319c",
      spanId: "b7ad6b7169203331",
      parentSpanId: "00f067aa0ba902b7",
      tenantId: "tenant-7",
      agentId: "senior-ts-dev/instance-3",
    },
    safety: {
      authScopes: ["repository:read", "repository:write"],
      prohibitedActions: ["push to the main branch"],
      toolDenylist: ["curl", "ssh"],
      maxAutonomousSteps: 40,
      securityFlags: { touchesSchema: true },
    },
    refs: [
      {
        uriOrLocator: "src/importer.ts",
        versionOrSha: "9fceb02d0ae598e95dc970b74767f19372d61af8",
        digest: "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
        fetchedAt: MOMENT,
        refType: RefType.FILE,
      },
      { uriOrLocator: "docs/importer.md", fetchedAt: MOMENT, refType: RefType.FILE },
    ],
    execution: {
      idempotencyKey: "importer-retry-budget/implement/1",
      dispatchId: "0192f0c1-2b7e-7c4a-9d55-3f1c8a6b2e10",
      attemptNumber: 1,
      deadline: MOMENT,
      timeout: durationFromMs(1_800_000),
      priority: Priority.NORMAL,
      riskTier: RiskTier.NORMAL,
      patchSizeLimit: 400,
    },
    contextIn: {
      sharedContext:
        "The importer reads files that partners leave in a bucket, one source a partner. ".repeat(7),
      taskDelta: "A source that is down makes the importer retry its files for ever.",
      decisionMemo: {
        decisions: [
          {
            decisionId: "budget-per-source",
            description: "The budget belongs to the source, not to the file",
            rationale: "A source that is down fails every file alike",
            decidedAt: MOMENT,
          },
        ],
      },
      criticalSnippets: [
        {
          path: "src/importer.ts",
          startLine: 41,
          endLine: 44,
          content: "while (!done) {\n  done = await attempt(file);\n}",
          description: "The loop without an end",
        },
      ],
    },
    routing: {
      selectedPackId: "senior-ts-dev",
      candidatePackIds: ["senior-ts-dev", "senior-python-dev", "generalist-dev"],
      routingPolicyVersion: "1.4.0",
      taskType: "feature-implementation",
    },
  });
}
