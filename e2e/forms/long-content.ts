import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Yard } from "../agents.ts";
import { consult } from "../consulting.ts";
import { expect, type Page } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";
import { unbroken } from "../scripted-work.ts";
import type { Stack } from "../stack.ts";
import { longInstance, longName, longPack, longTask, longTemplate, longTerritory } from "./long-names.ts";
import type { Found } from "./rows.ts";

const config = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../examples/config", name), "utf8");

/** Makes of every kind of thing one that is long, over the doors that anybody has. */
export async function fill(yard: Yard, stack: Stack, page: Page): Promise<Found> {
  await registerPack(stack, manifestOf(longPack));
  await yard.rest("POST", "/v1/heartbeats", {
    packId: longPack,
    packVersion: "1.0.0",
    instanceId: longInstance,
    health: { status: "HEALTH_STATUS_HEALTHY" },
    heartbeatAt: new Date().toISOString(),
    leaseTtl: "60s",
  });
  const policy = config("routing-policy-with-verification.yaml").replaceAll("generalist-dev", longPack);
  for (const version of ["1.0.1", "7.0.0"])
    await yard.rest("POST", "/v1/routing-policies", policy.replace("1.1.0", version));
  await yard.rest("POST", "/v1/routing-policies/1.0.1/publish", { note: unbroken });
  await yard.rest(
    "POST",
    "/v1/pipeline-templates",
    config("pipeline-templates.yaml")
      .replace(`version: "1.0.0"`, `version: "7.0.0"`)
      .replace("implement-and-review", longTemplate),
  );
  // What is for a person alone.
  for (const [path, data] of Object.entries({
    [`/v1/instances/${longPack}/${longInstance}/quarantine`]: { note: unbroken },
    [`/v1/instances/${longPack}/${longInstance}/drain`]: { note: unbroken },
    "/v1/members": { email: "m@example.org", name: longName, role: "viewer" },
    "/v1/keys": { label: longName.slice(0, 80), role: "viewer" },
    "/v1/audit/holds": { reason: unbroken },
  })) {
    const answer = await page.request.post(path, { headers: { origin: stack.origin }, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  }
  const script = { "feature-implementation": ["asks-at-length"] } as const;
  const ask = { capability: "code-review", territory: longTerritory };
  for (const topic of ["one", "two"]) {
    const { taskId } = await consult(stack, { ...ask, topic });
    const answer = await page.request.post(`/v1/sap/tasks/${taskId}/rating`, {
      headers: { origin: stack.origin },
      data: { score: 1, note: `${topic} ${unbroken}` },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  const { pipelineId } = await yard.submit({ taskId: longTask, title: unbroken, script });
  const unsent = await yard.rest("POST", "/v1/tasks", {
    taskType: "unheard-of",
    contract: { taskId: "UNSENT-1", title: "Nobody does this", acceptanceCriteria: ["it is done"] },
  });
  const unsentId = /"pipelineId":"([^"]+)"/.exec(JSON.stringify(unsent))?.[1] ?? "";
  const readId = async (path: string, name: string) => {
    const pattern = new RegExp(`"${name}":"([^"]+)"`);
    const read = async () => pattern.exec(JSON.stringify(await yard.rest("GET", path)))?.[1];
    await expect.poll(read, { timeout: 20_000 }).toBeDefined();
    return (await read()) ?? "";
  };
  return {
    pipelineId,
    unsentId,
    escalationId: await readId(`/v1/escalations?pipelineId=${pipelineId}`, "escalationId"),
    proposalId: await readId("/v1/learning/proposals?open=true", "proposalId"),
    entryId: await readId(
      `/v1/audit?packId=${longPack}&eventType=AUDIT_EVENT_TYPE_PACK_REGISTERED`,
      "auditId",
    ),
  };
}
