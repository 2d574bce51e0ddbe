import { AuditEventType } from "@signalbox/contracts";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asking, openTestSystem, type TestSystem } from "../testing/test-system.ts";
import { readActivity } from "./read-activity.ts";

let opened: TestSystem;
beforeAll(async () => {
  opened = await openTestSystem(["north", "south"]);
});
afterAll(() => opened.end());

const put = (tenantId: string, type: AuditEventType, count: number, ago: string) =>
  readRows(
    opened.made.url,
    `insert into signalbox.audit_entries (tenant_id, recorded_at, event_type, actor_type, actor_id, payload)
     select '${tenantId}', greatest(now() - interval '${ago}', date_trunc('month', now())), ${type}, 1, 'orchestrator', '{}'
     from generate_series(1, ${count})`,
  );
const totals = async (range: "hour" | "day" | "week", tenant = "north") => {
  const { activity } = await readActivity(opened.system, asking("viewer", tenant), range);
  return Object.fromEntries(
    activity.map(({ measure, total, isLeast }) => [measure, isLeast ? `${total}+` : total]),
  );
};

test("METRIC-3 a tenant's own entries are counted in the span they were written in, and to a bound", async () => {
  await put("north", AuditEventType.PIPELINE_CREATED, 3, "1 second");
  await put("north", AuditEventType.GATE_REJECTED, 2, "1 second");
  await put("north", AuditEventType.DISPATCH_SENT, 10_001, "1 second");
  await put("south", AuditEventType.PIPELINE_CREATED, 7, "1 second");
  expect(await totals("hour")).toMatchObject({
    pipelinesBegun: 3,
    gatesFailed: 2,
    dispatchesSent: "10000+",
    pipelinesFailed: 0,
  });
  expect(await totals("week", "south")).toMatchObject({ pipelinesBegun: 7, dispatchesSent: 0 });
  const { spans, activity } = await readActivity(opened.system, asking("viewer"), "day");
  expect(activity.every(({ counts }) => counts.length === spans.count)).toBe(true);
  expect(activity.find(({ measure }) => measure === "pipelinesBegun")?.counts.slice(-2)).toContain(3);
});

test("METRIC-3 nothing that took time is told where nothing completed, and nothing to who may not read metrics", async () => {
  const { completed } = await readActivity(opened.system, asking("viewer"), "hour");
  expect(completed).toEqual({ counted: 0, medianMs: null, slowMs: null });
  await expect(readActivity(opened.system, asking("agent"), "hour")).rejects.toMatchObject({
    code: "FORBIDDEN",
  });
});
