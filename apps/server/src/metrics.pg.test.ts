import { afterAll, beforeAll, expect, test } from "vitest";
import { failure, packId, plainAgent, prepare, success, task } from "./testing/plain-agent.ts";
import { withKey } from "./testing/rest-client.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  await prepare(withKey(server, server.adminKey));
});
afterAll(() => server.dispose());

const own = (labels: string) => `{tenant_id="default"${labels}}`;

const scrape = async (key: string) => {
  const answer = await fetch(`${server.origin}/metrics`, { headers: bearer(key) });
  const text = await answer.text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const values = new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.split(" ").at(-1))]),
  );
  return { answer, text, values };
};

test("an instance that went away says so by its health, and nothing of its work, until it is forgotten", async () => {
  const labels = own(`,pack_id="${packId}",instance_id="gone-1"`);
  const beat = (leaseTtl: string) =>
    withKey(server, server.adminKey)("POST", "/v1/heartbeats", {
      body: {
        packId,
        instanceId: "gone-1",
        health: { status: "HEALTH_STATUS_HEALTHY", errorRate1m: 0.5 },
        capacity: { maxTasks: 4, activeTasks: 1 },
        leaseTtl,
      },
    });
  await beat("60s");
  const key = await server.keyOf("viewer");
  const gauge = (values: Map<string, number>, name: string) => values.get(`a2a_agent_${name}${labels}`);
  const present = (await scrape(key)).values;
  expect(["health_status", "capacity_utilization", "error_rate"].map((name) => gauge(present, name))).toEqual(
    [1, 0.25, 0.5],
  );
  await beat("1s");
  await expect
    .poll(async () => gauge((await scrape(key)).values, "health_status"), { timeout: 5_000 })
    .toBe(0);
  const away = (await scrape(key)).values;
  expect([gauge(away, "capacity_utilization"), gauge(away, "error_rate")]).toEqual([undefined, undefined]);
});

test("Prometheus reads what was committed, of its own tenant and no other", async () => {
  const key = await server.keyOf("viewer");
  const agent = plainAgent(withKey(server, await server.keyOf("agent")));
  const admin = withKey(server, server.adminKey);
  await agent.beat();
  await admin("POST", "/v1/tasks", { body: task });
  await agent.report(success(await agent.take()));
  await agent.report(success(await agent.take()));
  await admin("POST", "/v1/tasks", { body: task });
  await agent.report(failure(await agent.take()));

  const { answer, text, values } = await scrape(key);
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const work = (taskType: string, more = "") => own(`,pack_id="${packId}",task_type="${taskType}"${more}`);
  const template = own(`,template_id="build-and-review"`);
  const instance = own(`,pack_id="${packId}",instance_id="plain-dev-1"`);
  expect(Object.fromEntries(values)).toMatchObject({
    [`a2a_dispatch_total${work("build")}`]: 2,
    [`a2a_dispatch_total${work("review")}`]: 1,
    [`a2a_dispatch_outcome${work("build", ',outcome="success"')}`]: 1,
    [`a2a_dispatch_outcome${work("build", ',outcome="non_retryable"')}`]: 1,
    [`a2a_dispatch_latency_seconds_count${work("build")}`]: 2,
    [`a2a_dispatch_time_to_first_dispatch_seconds_count${work("build")}`]: 2,
    [`a2a_pipeline_total${template}`]: 2,
    [`a2a_pipeline_completed_total${template}`]: 1,
    [`a2a_pipeline_duration_seconds_count${template}`]: 1,
    [`a2a_agent_health_status${instance}`]: 1,
    [`a2a_escalation_total${own(',cause="stage-failed"')}`]: 1,
    [`a2a_escalation_unresolved${own("")}`]: 1,
    // What rose from nothing is seen to rise: counters stand at 0 beside the first of what they are counted by.
    [`a2a_dispatch_timeout_total${work("review")}`]: 0,
    [`a2a_dispatch_no_candidates_total${own(',task_type="build"')}`]: 0,
    [`a2a_pipeline_deadline_breach_total${template}`]: 0,
    [`a2a_agent_quarantine_total${instance}`]: 0,
  });
  expect([...values.keys()].some((name) => name.startsWith("a2a_gate_passed_total"))).toBe(true);
  // The format: of each metric help and type, once.
  const told = text.split("\n").filter((line) => line.startsWith("# TYPE"));
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBe(26);

  const other = await scrape(await server.keyOf("viewer", "south"));
  expect(other.text).not.toContain("default");
  expect([...other.values.values()].every((value) => value === 0)).toBe(true);
  const nobody = await fetch(`${server.origin}/metrics`);
  expect([nobody.status, nobody.headers.get("content-type")]).toEqual([
    401,
    expect.stringContaining("application/problem+json"),
  ]);
  expect((await scrape(await server.keyOf("agent"))).answer.status).toBe(403);
});
