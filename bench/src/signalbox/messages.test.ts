import { create } from "@bufbuild/protobuf";
import {
  AgentHeartbeatSchema,
  AgentManifestSchema,
  checkMessage,
  ReportResultRequestSchema,
  TaskEnvelopeSchema,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { parsePipelineTemplates, parseRoutingPolicy } from "@signalbox/core";
import { describe, expect, test } from "vitest";
import { LAST_STAGE, PACK, pipelineTemplates, routingPolicy, STAGES, TEMPLATE } from "./documents.ts";
import { emptyResult, heartbeat, manifest, submission } from "./messages.ts";

const envelope = create(TaskEnvelopeSchema, {
  protocolVersion: { schemaVersion: "1.0.0" },
  trace: { traceId: "trace", spanId: "span", tenantId: "tenant" },
  execution: { dispatchId: "pipeline-d1.2", attemptNumber: 2 },
});

describe("what the benches say to the engine", () => {
  test("meets the contract", () => {
    checkMessage(AgentManifestSchema, manifest());
    checkMessage(AgentHeartbeatSchema, heartbeat("one", 60_000));
    checkMessage(TaskSubmissionSchema, submission("task-1"));
    const report = emptyResult(envelope);
    checkMessage(ReportResultRequestSchema, report);
    expect(report).toMatchObject({ dispatchId: "pipeline-d1.2", result: { attemptNumber: 2 } });
  });

  test("the documents are taken as they stand, and name each other's parts", () => {
    const policy = { routes: [{ taskType: "empty", allowedPackIds: [PACK] }] };
    expect(parseRoutingPolicy(routingPolicy)).toMatchObject({ kind: "valid", document: policy });
    const templates = { templates: [{ templateId: TEMPLATE }] };
    expect(parsePipelineTemplates(pipelineTemplates)).toMatchObject({ kind: "valid", document: templates });
    expect(pipelineTemplates.match(/stage_id/g)).toHaveLength(STAGES);
    expect(pipelineTemplates).toContain(`stage_id: "${LAST_STAGE}"`);
  });
});
