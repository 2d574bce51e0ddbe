import type { Action } from "@signalbox/core";
import { policy } from "../plain-agent.ts";

/**
 * A row of the permission table, or "open" to whoever comes, and a request that is well formed. What stands in braces is a
 * name of things.ts: the matrix asks for what was never there under it, and for another tenant's.
 */
export type Sample = readonly [action: Action | "open", request?: object];

const policies = { kind: "routing-policy" };
const onePolicy = { ...policies, version: "{policyVersion}" };

/** Every tRPC procedure has its line here. */
export const procedureSamples: Readonly<Record<string, Sample>> = {
  "audit.search": ["audit.read", { pipelineId: "{pipelineId}", limit: 10 }],
  "audit.entry": ["audit.read", { auditId: "{auditId}" }],
  "audit.prove": ["audit.read", { auditId: "{auditId}" }],
  "documents.list": ["policy.read", policies],
  "documents.get": ["policy.read", onePolicy],
  "documents.active": ["policy.read", policies],
  "documents.check": ["policy.read", { ...policies, text: policy }],
  "documents.simulate": ["policy.read", { text: policy }],
  "documents.draft": ["policy.draft", { ...policies, text: policy }],
  "documents.edit": [
    "policy.draft",
    { ...onePolicy, edit: 7, text: policy.replace("1.0.0", "{policyVersion}") },
  ],
  "documents.discard": ["policy.draft", { ...onePolicy, edit: 7 }],
  "documents.publish": ["policy.publish", { ...onePolicy, edit: 7 }],
  "retention.get": ["retention.read"],
  "retention.change": ["retention.change", { keepMonths: 120, reason: "why" }],
  "retention.hold": ["retention.hold", { reason: "why" }],
  "retention.release": ["retention.hold", { holdId: "{holdId}", reason: "why" }],
  "alerts.list": ["alert.read", { limit: 10 }],
  "escalations.list": ["escalation.read", { packId: "{packId}" }],
  "escalations.waiting": ["escalation.read"],
  "escalations.get": ["escalation.read", { escalationId: "{escalationId}" }],
  "escalations.assign": ["escalation.assign", { escalationId: "{escalationId}", assignee: null }],
  "escalations.comment": ["escalation.comment", { escalationId: "{escalationId}", comment: "why" }],
  "escalations.resolve": [
    "escalation.resolve",
    { escalationId: "{escalationId}", option: "retry", comment: "why" },
  ],
  "instances.list": ["instance.read", { packId: "{packId}" }],
  "instances.get": ["instance.read", { packId: "{packId}", instanceId: "{instanceId}" }],
  "instances.quarantine": [
    "instance.quarantine",
    { packId: "{packId}", instanceId: "{instanceId}", note: "why" },
  ],
  "instances.restore": ["instance.restore", { packId: "{packId}", instanceId: "{instanceId}", note: "" }],
  "instances.drain": ["instance.drain", { packId: "{packId}", instanceId: "{instanceId}", note: "why" }],
  "instances.resume": ["instance.resume", { packId: "{packId}", instanceId: "{instanceId}", note: "" }],
  "learning.results": ["learning.read", { limit: 10 }],
  "learning.ofPipeline": ["learning.read", { pipelineId: "{pipelineId}" }],
  "learning.rate": ["sap.rate", { taskId: "{sapTaskId}", score: 3 }],
  "learning.aggregates": ["learning.read", { by: "capability" }],
  "learning.records": ["learning.read", { limit: 10 }],
  "learning.playbooks": ["learning.read"],
  "learning.proposals": ["learning.read", { open: true }],
  "learning.proposal": ["learning.read", { proposalId: "{proposalId}" }],
  "learning.accept": ["learning.decide", { proposalId: "{proposalId}", reason: "why" }],
  "learning.refuse": ["learning.decide", { proposalId: "{proposalId}", reason: "why" }],
  "keys.list": ["key.read", { limit: 10 }],
  "keys.create": ["key.create", { label: "matrix", role: "viewer" }],
  "keys.revoke": ["key.revoke", { keyId: "{keyId}" }],
  "members.list": ["member.read", { limit: 10 }],
  "members.named": ["member.read", { memberIds: ["0199-nobody"] }],
  "members.invite": ["member.invite", { email: "grace@example.org", name: "Grace", role: "viewer" }],
  "members.change": ["member.change", { memberId: "{memberId}", name: "Grace" }],
  "members.remove": ["member.remove", { memberId: "{memberId}" }],
  "members.link": ["member.change", { memberId: "{memberId}" }],
  "members.signOut": ["member.change", { memberId: "{memberId}" }],
  "metrics.activity": ["metrics.read", { range: "hour" }],
  "packs.list": ["pack.read", { query: "{packId}" }],
  "packs.get": ["pack.read", { packId: "{packId}", packVersion: "{packVersion}" }],
  "redaction.inForce": ["policy.read"],
  "redaction.try": ["policy.read", { kind: "text", text: "nothing to hide" }],
  "pipelineDetail.attempts": ["trace.read", { pipelineId: "{pipelineId}" }],
  "pipelineDetail.attempt": ["trace.read", { dispatchId: "{dispatchId}" }],
  "pipelineDetail.turns": ["trace.read", { dispatchId: "{dispatchId}" }],
  "pipelineDetail.confidences": ["trace.read", { dispatchId: "{dispatchId}" }],
  "pipelineDetail.events": ["trace.read", { dispatchId: "{dispatchId}", direction: "newer" }],
  "pipelineDetail.trace": ["trace.read", { pipelineId: "{pipelineId}" }],
  "pipelines.list": ["pipeline.read", { limit: 10 }],
  "pipelines.ended": ["pipeline.read", { limit: 10 }],
  "pipelines.get": ["pipeline.read", { pipelineId: "{pipelineId}" }],
  "pipelines.submit": [
    "task.submit",
    {
      json: `{"templateId":"{templateId}","contract":{"taskId":"matrix","title":"Ask","acceptanceCriteria":["asked"]}}`,
    },
  ],
  "pipelines.pause": ["pipeline.pause", { pipelineId: "{pipelineId}" }],
  "pipelines.resume": ["pipeline.resume", { pipelineId: "{pipelineId}" }],
  "pipelines.abort": ["pipeline.abort", { pipelineId: "{pipelineId}" }],
  "pipelines.rewind": ["pipeline.rewind", { pipelineId: "{pipelineId}", stageId: "task" }],
  "session.account": ["account.change"],
  "session.list": ["session.close"],
  "session.createToken": ["token.create", { label: "my editor" }],
  "session.end": ["session.close", { sessionId: "{sessionId}" }],
  "session.current": ["open"],
  "session.ways": ["open"],
  "system.about": ["open"],
  "system.readiness": ["open"],
};

const attempt = { dispatchId: "{dispatchId}", attemptNumber: 1 };

/** Every method of ControlPlaneService has its line here. */
export const methodSamples: Readonly<Record<string, readonly [Action, object]>> = {
  RegisterPack: [
    "pack.register",
    { manifest: { packId: "{packId}", packVersion: "{packVersion}", supportedTaskTypes: ["build"] } },
  ],
  Heartbeat: [
    "instance.heartbeat",
    {
      heartbeat: {
        packId: "{packId}",
        instanceId: "{instanceId}",
        health: { status: "HEALTH_STATUS_HEALTHY" },
      },
    },
  ],
  Lease: ["dispatch.lease", { packId: "{packId}", instanceId: "{instanceId}", maxTasks: 1 }],
  ReportTurn: ["dispatch.report", { attempt, turn: { turnIndex: 0 } }],
  ReportEvents: [
    "dispatch.report",
    { attempt, events: [{ eventId: "0190b3a8-8f0f-7bbb-8888-000000000001" }] },
  ],
  ReportResult: ["dispatch.report", { dispatchId: "{dispatchId}", result: { dispatchId: "{dispatchId}" } }],
  RequestHandoff: ["dispatch.report", { attempt, taskType: "build", reason: "others know better" }],
};

/** Every topic of the stream, and what one must be allowed to read for it. */
export const topicSamples: Readonly<Record<string, readonly Action[]>> = {
  tenant: [
    "pipeline.read",
    "escalation.read",
    "pack.read",
    "instance.read",
    "policy.read",
    "template.read",
    "alert.read",
    "learning.read",
  ],
  pipeline: ["pipeline.read"],
  escalations: ["escalation.read"],
  registry: ["pack.read", "instance.read"],
  alerts: ["alert.read"],
};
