import { create, toJsonString } from "@bufbuild/protobuf";
import {
  AgentHeartbeatSchema,
  AgentTransport,
  AuditEventType,
  HealthStatus,
  StageStatus,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import { afterEach, expect, test, vi } from "vitest";
import { heartbeat } from "../registry/heartbeat.ts";
import { actionsOf, factsOf } from "../testing/audit.ts";
import { submitTemplate, stateOf, waitForStatus } from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import { resultFor } from "../testing/results.ts";
import { askedBy, openTestEngine, type TestEngine } from "../testing/test-engine.ts";
import { waitUntil } from "../testing/wait-until.ts";
import { type AgentAdapter, LinkFailure, type Reached } from "./agent-adapter.ts";

let opened: TestEngine;
afterEach(() => opened.end());

type Run = AgentAdapter["run"];

/** An adapter that is a function: what it is asked to hand over, and what it makes of it. */
async function open(run: Run, channelIsWork = false, takeWithinMs?: number, dispatchLeaseMs = 1_000) {
  const cancelled: string[] = [];
  const adapter: AgentAdapter = {
    channelIsWork,
    refusal: (address) => (address === "nowhere" ? "is nowhere" : undefined),
    run,
    cancel: async (_to, { dispatchId }) => void cancelled.push(dispatchId),
    close: async () => undefined,
  };
  const adapters = new Map([[AgentTransport.HTTP, adapter]]);
  opened = await openTestEngine({
    adapters,
    dispatchLeaseMs,
    ...(takeWithinMs !== undefined && { takeWithinMs }),
  });
  await prepare(opened.engine);
  return cancelled;
}

const beat = (address = "here", endpoint: object | undefined = { transport: AgentTransport.HTTP, address }) =>
  heartbeat(
    opened.engine,
    askedBy("agent"),
    create(AgentHeartbeatSchema, {
      packId: "builder",
      instanceId: "builder-1",
      health: { status: HealthStatus.HEALTHY },
      capacity: { maxTasks: 10 },
      leaseTtl: { seconds: 60n },
      ...(endpoint && { endpoint }),
    }),
  );

test("SENT-9 what an instance certainly has not taken is handed to it again, at no cost", async () => {
  let refusals = 0;
  await open(async (_to, envelope) => {
    refusals += 1;
    if (refusals <= 3) throw new LinkFailure("not-taken", "nobody is there");
    return { kind: "answered", result: resultFor(envelope) };
  });
  await beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  expect(refusals).toBe(6);
  const { stages } = await stateOf(opened.engine, pipelineId);
  expect(stages.map(({ attemptNumber }) => attemptNumber)).toEqual([1, 1, 1]);
  expect(await actionsOf(opened.engine, pipelineId)).not.toContain("dispatch.transport-failed");
  // Of a row of failures one is told.
  expect(opened.failures).toHaveLength(1);
});

test("SENT-3 what nobody took in time says what the calls came to", async () => {
  await open(
    async () => {
      throw new LinkFailure("not-taken", "the agent answered 302; 202, or 200 with a result, was expected");
    },
    false,
    800,
  );
  await beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  const found = async () =>
    (await factsOf(opened.engine, { pipelineId })).find(
      ({ action }) => action === "dispatch.transport-failed",
    );
  await waitUntil(async () => (await found()) !== undefined);
  expect((await found())?.rationale).toContain("did not take it in time: the agent answered 302; 202, or");
});

test("D8 SENT-5 a channel that broke leaves the dispatch with the agent until its lease ends; one that is over ends it", async () => {
  let calls = 0;
  await open(async (_to, envelope) => {
    calls += 1;
    if (calls === 1) throw new LinkFailure("lost", "the channel broke");
    if (calls === 2) throw new LinkFailure("over", "it gave up");
    return { kind: "answered", result: resultFor(envelope) };
  });
  await beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  const actions = await actionsOf(opened.engine, pipelineId);
  expect(actions.filter((action) => action === "dispatch.lease-lost")).toHaveLength(2);
});

test("REPORT-4 SENT-10 D7 what an agent answers that is no result is on record as that, and told to its next attempt", async () => {
  const said = [
    new LinkFailure("unreadable", "it answered 200 with what is no AgentResult: status must be an object"),
    new LinkFailure("failed", "the agent answered 500 to alice@example.org:hunter22-S3cret"),
  ];
  const told: string[] = [];
  await open(async (_to, envelope) => {
    const failure = said.shift();
    if (failure !== undefined) throw failure;
    told.push(toJsonString(TaskEnvelopeSchema, envelope));
    return { kind: "answered", result: resultFor(envelope) };
  });
  await beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  const facts = await factsOf(opened.engine, { pipelineId });
  const rationaleOf = (action: string) => facts.find((fact) => fact.action === action)?.rationale;
  expect(told[0]).toMatch(/The last attempt's result was not valid: it answered 200/);
  expect(rationaleOf("result.invalid")).toMatch(/is invalid: .*status must be an object; tried again$/);
  expect(rationaleOf("dispatch.agent-failed")).toMatch(/failed without a result: the agent answered 500/);
  expect(facts.map(({ action }) => action)).not.toContain("dispatch.lease-lost");
});

test.each(["unreadable", "failed"] as const)(
  "REPORT-4 SENT-10 D7 %s words that cannot be stored as they are stand on record all the same",
  async (kind) => {
    let calls = 0;
    await open(async (_to, envelope) => {
      calls += 1;
      if (calls === 1) throw new LinkFailure(kind, "no \0 result \ud800 at all");
      return { kind: "answered", result: resultFor(envelope) };
    });
    await beat();
    const pipelineId = await submitTemplate(opened.engine, "chain");
    await waitForStatus(opened.engine, pipelineId, "COMPLETED");
    const facts = await factsOf(opened.engine, { pipelineId });
    expect(facts.map(({ action }) => action)).not.toContain("dispatch.lease-lost");
    expect(facts.map(({ rationale }) => rationale).join()).toContain("no \ufffd result \ufffd at all");
  },
);

test("what could not be recorded of how an attempt ended is told, and ends the attempt all the same", async () => {
  let calls = 0;
  await open(async (_to, envelope) => {
    calls += 1;
    if (calls > 1) return { kind: "answered", result: resultFor(envelope) };
    vi.spyOn(opened.engine.committer, "commit").mockRejectedValueOnce(new Error("nothing is written"));
    throw new LinkFailure("failed", "the agent answered 500");
  });
  await beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  expect(await actionsOf(opened.engine, pipelineId)).toContain("dispatch.lease-lost");
  expect(opened.failures.map(String)).toContain("Error: nothing is written");
});

test("REPORT-4 what is refused of a result that an agent answered ends its attempt with the reason", async () => {
  let calls = 0;
  const run: Run = async (_to, envelope) => {
    calls += 1;
    const result = resultFor(envelope);
    if (calls === 1) Object.assign(result.status ?? {}, { summary: "x ".repeat(1 << 19) });
    return { kind: "answered", result };
  };
  // Where much else goes on, to look through so much may take longer than the others' lease.
  await open(run, false, undefined, 30_000);
  await beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  const [invalid] = await factsOf(opened.engine, { pipelineId, eventType: AuditEventType.RESULT_INVALID });
  expect(invalid?.rationale).toMatch(/characters; at most 1048576 are taken/);
});

test("D8 an open channel keeps the lease, and ends with the line", async () => {
  let called: AbortSignal | undefined;
  await open((_to, _envelope, signal) => {
    called = signal;
    return new Promise((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new LinkFailure("over", "called off")));
    });
  }, true);
  await beat();
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await waitUntil(() => called !== undefined);
  // Longer than two leases.
  await new Promise((resolve) => setTimeout(resolve, 2_200));
  expect((await stateOf(opened.engine, pipelineId)).stages[0]?.attemptNumber).toBe(1);
  // It leases by itself from now on: the call is called off.
  await beat("", undefined);
  await waitUntil(() => called?.aborted === true);
});

test("a stop takes no more and waits for what is at work, as long as it may", async () => {
  const begun: string[] = [];
  const finish = Promise.withResolvers<void>();
  await open(async (_to, envelope, signal) => {
    begun.push(envelope.execution?.dispatchId ?? "");
    const cut = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(new LinkFailure("lost", "it was cut")));
    });
    // What is submitted last never ends by itself.
    await Promise.race([begun.length === 1 ? finish.promise : cut, cut]);
    return { kind: "answered", result: resultFor(envelope) };
  }, true);
  await beat();
  const pipelines = [
    await submitTemplate(opened.engine, "chain"),
    await submitTemplate(opened.engine, "chain"),
  ];
  await waitUntil(async () => begun.length === 2);
  const cut = Promise.withResolvers<void>();
  const stopped = opened.engine.stop(cut.promise);
  finish.resolve();
  const done = pipelines.find((pipelineId) => begun[0]?.startsWith(pipelineId)) ?? "";
  const other = pipelines.find((pipelineId) => pipelineId !== done) ?? "";
  const first = async (pipelineId: string) => (await stateOf(opened.engine, pipelineId)).stages[0]?.status;
  await waitUntil(async () => (await first(done)) === StageStatus.COMPLETED);
  expect(await first(other)).toBe(StageStatus.DISPATCHED);
  cut.resolve();
  await stopped;
  expect(await first(other)).toBe(StageStatus.DISPATCHED);
  expect(begun).toHaveLength(2);
});

test("one endpoint is told apart from another, and where nobody can be called is refused", async () => {
  const reached: Reached[] = [];
  await open(async (to, envelope) => {
    reached.push(to);
    return { kind: "answered", result: resultFor(envelope) };
  });
  await expect(beat("nowhere")).rejects.toMatchObject({
    code: "VALIDATION_FAILED",
    violations: [{ field: "endpoint.address", message: "is nowhere" }],
  });
  await expect(beat("", { transport: AgentTransport.GRPC })).rejects.toMatchObject({
    violations: [{ field: "endpoint.transport" }],
  });
  await beat("here");
  await beat("there");
  const pipelineId = await submitTemplate(opened.engine, "chain");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  expect(new Set(reached.map(({ address }) => address))).toEqual(new Set(["there"]));
});
