import { randomUUID } from "node:crypto";
import { z } from "zod";
import { proposeSomething } from "../proposals.ts";
import { failure, manifest, packId, plainAgent, policy, task, templates } from "../plain-agent.ts";
import { type RestClient, withKey } from "../rest-client.ts";
import type { TestServer } from "../test-server.ts";

/** Names that a sample's request may hold in braces, as "{pipelineId}", and what is never there under them. */
export const missing = {
  packId: "nobodys-pack",
  packVersion: "9.9.9",
  instanceId: "nobodys-instance",
  pipelineId: "0190b3a8-8f0f-7bbb-8888-0123456789ab",
  stageId: "nobodys-stage",
  dispatchId: "0190b3a8-8f0f-7bbb-8888-0123456789ab-d0.1",
  escalationId: "0190b3a8-8f0f-7bbb-8888-0123456789ab-e1",
  policyVersion: "9.9.8",
  templateVersion: "9.9.7",
  templateId: "nobodys-template",
  memberId: "nobody",
  keyId: "0190b3a8-8f0f-7bbb-8888-0123456789ab",
  sapTaskId: "0190b3a8-8f0f-4bbb-8888-0123456789ac",
  proposalId: "0190b3a8-8f0f-7bbb-8888-0123456789ad",
  sessionId: "0190b3a8-8f0f-7bbb-8888-0123456789ab",
  holdId: "0190b3a8-8f0f-7bbb-8888-0123456789ae",
  auditId: "0190b3a8-8f0f-7bbb-9999-0123456789ab",
  attachmentId: "0190b3a8-8f0f-7bbb-aaaa-0123456789ab",
};
export type Things = typeof missing;

export const named = (text: string, things: Things): string =>
  Object.entries(things).reduce((all, [name, id]) => all.replaceAll(`{${name}}`, id), text);

const version = "5.0.0";

/** What is there under each name, in the first tenant. */
export async function makeThings(server: TestServer, person: RestClient): Promise<Things> {
  const admin = withKey(server, server.adminKey);
  await admin("POST", "/v1/packs", { body: manifest });
  // Under versions that no documented example has.
  for (const [path, text] of Object.entries({
    "routing-policies": policy,
    "pipeline-templates": templates,
  })) {
    const headers = { "content-type": "application/yaml" };
    await admin("POST", `/v1/${path}`, { body: text.replace("1.0.0", version), headers });
    await admin("POST", `/v1/${path}/${version}/publish`);
  }
  const agent = plainAgent(admin);
  await agent.beat();
  const pipelineId = (await admin("POST", "/v1/tasks", { body: task })).json.text("pipelineId");
  const failed = await agent.take();
  await agent.report(failure(failed));
  const { escalations } = z
    .object({ escalations: z.array(z.looseObject({ escalationId: z.string() })).min(1) })
    .parse((await admin("GET", "/v1/escalations?open=true")).json.value);
  const email = "matrix@example.org";
  const invited = await person("POST", "/v1/members", { body: { email, name: "Ada", role: "viewer" } });
  const key = await admin("POST", "/v1/keys", { body: { label: "a thing", role: "viewer" } });
  const sapTaskId = randomUUID();
  await admin("POST", "/v1/sap/tasks", {
    body: {
      protocolVersion: "2.0",
      taskId: sapTaskId,
      correlationId: randomUUID(),
      issuedAt: "2026-11-18T10:15:23Z",
      issuer: { agentId: "gateway", agentKind: "system" },
      target: { capability: "build" },
      constitutionalContext: { pressureLevel: "instant", cachePolicy: { mode: "only" } },
      payload: {},
    },
  });
  const sessions = await person("GET", "/v1/sessions");
  const entries = await admin("GET", "/v1/audit?limit=1");
  const held = await person("POST", "/v1/audit/holds", { body: { reason: "a thing" } });
  const attached = await admin("POST", "/v1/attachments?name=thing", { body: "bytes" });
  return {
    packId,
    packVersion: manifest.packVersion,
    instanceId: agent.instanceId,
    pipelineId,
    stageId: "build",
    dispatchId: failed.execution.dispatchId,
    escalationId: escalations[0]?.escalationId ?? "",
    policyVersion: version,
    templateVersion: version,
    templateId: task.templateId,
    memberId: invited.json.text("member", "memberId"),
    keyId: key.json.text("keyId"),
    sapTaskId,
    proposalId: await proposeSomething(server),
    sessionId: z.string().parse(sessions.json.at("sessions", 0, "sessionId")),
    holdId: held.json.text("holdId"),
    attachmentId: attached.json.text("attachmentId"),
    auditId: z.string().parse(entries.json.at("entries", 0, "auditId")),
  };
}
