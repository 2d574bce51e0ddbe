import { create, type DescMessage } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  AgentResultSchema,
  ArtifactAction,
  BlockerType,
  Confidence,
  EvidenceType,
  Outcome,
} from "../src/index.ts";
import * as contract from "../src/index.ts";

/** A valid result with a list of messages, a oneof, enums, times and a Struct. */
export const exampleResult = create(AgentResultSchema, {
  protocolVersion: { schemaVersion: "1.0.0" },
  status: { outcome: Outcome.SUCCESS, confidence: Confidence.CONFIDENT, summary: "Done: é 😀" },
  trace: { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331", tenantId: "t-1" },
  evidence: {
    evidencePayload: {
      case: "items",
      value: {
        items: [{ type: EvidenceType.TEST, command: "vitest run", output: "42 passed", passed: true }],
      },
    },
  },
  timing: { startedAt: timestampFromMs(1_772_000_000_000), duration: durationFromMs(1500) },
  artifacts: [{ path: "src/a.ts", action: ArtifactAction.MODIFIED }, { path: "src/b.ts" }],
  blockers: [{ description: "no key", blockerType: BlockerType.PERMISSION_DENIED }],
  dispatchId: "d-1",
  attemptNumber: 2,
  response: {
    thought: "so",
    status: "success",
    data: { names: ["Ada", null, { deep: [true, 1.5, {}] }], constructor: "legitimate" },
    message: "done",
  },
});

/** Every message of the contract. */
export const allMessages: readonly DescMessage[] = Object.values(contract).filter(
  (value): value is DescMessage & typeof value =>
    typeof value === "object" && "kind" in value && value.kind === "message",
);
