import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs, timestampNow } from "@bufbuild/protobuf/wkt";
import {
  type AgentHeartbeat,
  AgentHeartbeatSchema,
  type AgentManifest,
  AgentManifestSchema,
  Confidence,
  EvidenceType,
  HealthStatus,
  Outcome,
  Priority,
  RefType,
  type ReportResultRequest,
  ReportResultRequestSchema,
  RiskTier,
  type TaskEnvelope,
  type TaskSubmission,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { PACK, TEMPLATE } from "./documents.ts";

const CAPACITY = 100_000;
const PACK_VERSION = "1.0.0";
const DAY_MS = 86_400_000;

export const manifest = (): AgentManifest =>
  create(AgentManifestSchema, {
    packId: PACK,
    packVersion: PACK_VERSION,
    capabilitySchemaVersion: "1.0.0",
    minOrchestratorVersion: "0.1.0",
    safetyTier: RiskTier.CRITICAL,
    supportedTaskTypes: ["empty"],
    providedTools: ["true"],
    interface: {
      supportedSchemaVersions: ["^1.0.0"],
      acceptedRiskTiers: ["RISK_TIER_LOW", "RISK_TIER_NORMAL"],
      maxConcurrentTasks: CAPACITY,
      maxTaskDuration: durationFromMs(600_000),
    },
  });

export const heartbeat = (instanceId: string, leaseMs: number): AgentHeartbeat =>
  create(AgentHeartbeatSchema, {
    packId: PACK,
    packVersion: PACK_VERSION,
    instanceId,
    health: { status: HealthStatus.HEALTHY },
    capacity: { maxTasks: CAPACITY },
    heartbeatAt: timestampNow(),
    leaseTtl: durationFromMs(leaseMs),
  });

/** A task as short as they come; LOW, so that no person is asked. */
export function submission(taskId: string): TaskSubmission {
  const now = Date.now();
  return create(TaskSubmissionSchema, {
    work: { case: "templateId", value: TEMPLATE },
    contract: {
      taskId,
      title: "Do nothing, and show that it was done",
      ownerDomain: "bench",
      acceptanceCriteria: ["The command succeeds"],
      environment: { testCommand: "true" },
    },
    refs: [{ uriOrLocator: "README.md", fetchedAt: timestampFromMs(now), refType: RefType.FILE }],
    safety: { authScopes: ["repository:read"], maxAutonomousSteps: 10 },
    execution: {
      deadline: timestampFromMs(now + DAY_MS),
      timeout: durationFromMs(600_000),
      priority: Priority.NORMAL,
      riskTier: RiskTier.LOW,
    },
    contextIn: { taskDelta: "Nothing has been done so far." },
  });
}

/** What an agent without any work in it answers: a success, and the least evidence that the gate takes. */
export function emptyResult({ protocolVersion, trace, execution }: TaskEnvelope): ReportResultRequest {
  if (protocolVersion === undefined || trace === undefined || execution === undefined) {
    throw new Error("an envelope without its version, trace or execution");
  }
  const { dispatchId, attemptNumber } = execution;
  return create(ReportResultRequestSchema, {
    dispatchId,
    result: {
      dispatchId,
      attemptNumber,
      protocolVersion,
      trace: { ...trace, parentSpanId: trace.spanId, spanId: "00f067aa0ba902b7" },
      status: {
        outcome: Outcome.SUCCESS,
        confidence: Confidence.CONFIDENT,
        summary: "Nothing was to be done.",
      },
      evidence: {
        evidencePayload: {
          case: "items",
          value: { items: [{ type: EvidenceType.TEST, command: "true", output: "ok", passed: true }] },
        },
      },
      contextOut: { risksIdentified: ["none"] },
    },
  });
}
