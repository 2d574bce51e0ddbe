import { durationFromMs, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { checkMessage, RiskTier, TaskEnvelopeSchema } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { replayDispatch } from "../dispatch/replay-dispatch.ts";
import { compileSnapshot } from "../dispatch/snapshot.ts";
import { instance, manifest, NOW, orchestrator, policy, route } from "../dispatch/testing/registry.ts";
import { attempt, attempted, registry, sent } from "./testing/attempt.ts";

const nobody = compileSnapshot(policy([]), orchestrator, { packs: [], instances: [] });
const busy = compileSnapshot(policy([route("a-work", ["pack"])]), orchestrator, {
  packs: [manifest("pack")],
  instances: [instance("pack", "pack-1", { dispatches: 4, leaseExpiresAt: NOW + 700_000 })],
});

describe("ATT-2 an attempt", () => {
  test("that can be taken is sent, as an envelope that obeys the contract and an event the pipeline accepts", () => {
    const pipeline = attempted();
    const { envelope, event, policyVersion, spans } = sent(pipeline, "a", NOW);
    checkMessage(TaskEnvelopeSchema, envelope);
    expect(envelope).toMatchObject({
      contract: { taskId: "task-1" },
      trace: { traceId: "trace-1", tenantId: "acme", agentId: "pack-1" },
      execution: { dispatchId: "pl-1-d0.1", idempotencyKey: "pl-1/a", attemptNumber: 1 },
      refs: [{ uriOrLocator: "signalbox:task/task-1" }],
    });
    expect(event).toMatchObject({
      dispatchId: "pl-1-d0.1",
      packId: "pack",
      packVersion: "1.0.0",
      dueAt: null,
    });
    expect(policyVersion).toBe("1.0.0");
    expect(spans.map(({ name }) => name)).toEqual(["dispatch_decision"]);
    pipeline.run.apply(event);
    expect(pipeline.run.stages).toEqual({ a: "DISPATCHED" });
  });

  test("that no route takes is refused, and a person is asked", () => {
    const pipeline = attempted();
    const refused = attempt(pipeline, "a", NOW, { snapshot: nobody });
    expect(refused).toMatchObject({ kind: "refused", event: { reason: "no-route", quarantined: null } });
    if (refused?.kind === "refused") pipeline.run.apply(refused.event);
    expect(pipeline.run.question("a")).toMatchObject({ problem: expect.stringContaining('"a-work"') });
  });

  test("for which everybody is busy is deferred, with until when", () => {
    const pipeline = attempted();
    const deferred = attempt(pipeline, "a", NOW, { snapshot: busy });
    expect(deferred).toMatchObject({
      kind: "deferred",
      event: { reason: "busy", until: NOW + 600_000, attemptNumber: 1 },
    });
  });

  test("that only a quarantined instance could take names it, so that a person can restore it", () => {
    const quarantined = compileSnapshot(policy([route("a-work", ["pack"])]), orchestrator, {
      packs: [manifest("pack")],
      instances: [instance("pack", "pack-1", { health: 4 })],
    });
    expect(attempt(attempted(), "a", NOW, { snapshot: quarantined })).toMatchObject({
      kind: "refused",
      event: { reason: "only-quarantined", quarantined: { packId: "pack", instanceId: "pack-1" } },
    });
  });

  test("at a stage that its pipeline lacks is none", () => {
    const { state } = attempted().run;
    expect(attempt(attempted({ stages: [["b"]] }), "b", NOW, { state })).toBeUndefined();
  });

  test("takes the tier that the task says, and the route may raise it (D4)", () => {
    const raised = compileSnapshot(
      policy([route("a-work", ["pack"], { minRiskTier: RiskTier.CRITICAL })]),
      orchestrator,
      { packs: [manifest("pack")], instances: [instance("pack", "pack-1")] },
    );
    const low = attempted({ submission: { execution: { riskTier: RiskTier.LOW } } });
    expect(sent(low, "a", NOW).event.riskTier).toBe(RiskTier.LOW);
    expect(sent(low, "a", NOW, { snapshot: raised }).event.riskTier).toBe(RiskTier.CRITICAL);
  });
});

const withLongest = (ms: number | undefined) =>
  compileSnapshot(policy([route("a-work", ["pack"])]), orchestrator, {
    packs: [
      manifest("pack", {
        interface: {
          supportedSchemaVersions: ["^1.0.0"],
          acceptedRiskTiers: ["RISK_TIER_NORMAL"],
          ...(ms === undefined ? {} : { maxTaskDuration: durationFromMs(ms) }),
        },
      }),
    ],
    instances: [instance("pack", "pack-1")],
  });

describe("ATT-4 how long a dispatch may take", () => {
  const limits = fc.option(fc.integer({ min: 1, max: 10_000_000 }), { nil: undefined });

  test("is the shorter of what the task allows and what the pack says it ever needs; without either, no end", () => {
    fc.assert(
      fc.property(limits, limits, (allowed, needed) => {
        const execution = allowed === undefined ? {} : { timeout: durationFromMs(allowed) };
        const outcome = sent(attempted({ submission: { execution } }), "a", NOW, {
          snapshot: withLongest(needed),
        });
        const expected = [allowed, needed].filter((one) => one !== undefined);
        const due = expected.length === 0 ? null : NOW + Math.min(...expected);
        expect(outcome.timeoutAt).toBe(due);
        expect(outcome.event.dueAt).toBe(due);
        expect(outcome.envelope.execution?.timeout === undefined).toBe(due === null);
      }),
    );
  });

  test("is of the version that was chosen, not of another of the same pack", () => {
    const versions = compileSnapshot(policy([route("a-work", ["pack"])]), orchestrator, {
      packs: ["1.0.0", "2.0.0"].map((packVersion, place) =>
        manifest("pack", {
          packVersion,
          interface: {
            supportedSchemaVersions: ["^1.0.0"],
            acceptedRiskTiers: ["RISK_TIER_NORMAL"],
            maxTaskDuration: durationFromMs((place + 1) * 1_000),
          },
        }),
      ),
      instances: [instance("pack", "new", { packVersion: "2.0.0" })],
    });
    expect(sent(attempted(), "a", NOW, { snapshot: versions }).timeoutAt).toBe(NOW + 2_000);
  });
});

test("SACP-7 a pack whose agents always answer is asked to, whatever the stage says", () => {
  const answering = compileSnapshot(policy([route("a-work", ["pack"])]), orchestrator, {
    packs: ["1.0.0", "2.0.0"].map((packVersion) =>
      manifest("pack", {
        packVersion,
        interface: {
          supportedSchemaVersions: ["^1.0.0"],
          acceptedRiskTiers: ["RISK_TIER_NORMAL"],
          responseFormat: packVersion === "2.0.0" ? "json_standard" : "",
        },
      }),
    ),
    instances: [instance("pack", "new", { packVersion: "2.0.0" })],
  });
  expect(sent(attempted(), "a", NOW, { snapshot: answering }).envelope.responseFormat).toBe("json_standard");
  expect(sent(attempted(), "a", NOW).envelope.responseFormat).toBe("");
});

describe("ATT-6 a deadline", () => {
  test("of the pipeline that has come sends nothing, and the pipeline is told", () => {
    const pipeline = attempted({ pipeline: { deadlineMs: 1_000 } });
    expect(sent(pipeline, "a", 999).envelope.execution?.deadline).toEqual(timestampFromMs(1_000));
    expect(attempt(pipeline, "a", 1_000)).toEqual({ kind: "deadline-reached" });
    pipeline.run.now = 1_000;
    pipeline.run.apply({ kind: "deadline-reached" });
    expect(pipeline.run.status).toBe("PAUSED");
  });

  test("of the task likewise, and the sooner of the two travels", () => {
    const pipeline = attempted({ pipeline: { deadlineMs: 9_000, taskDeadlineAt: 3_000 } });
    const { envelope } = sent(pipeline, "a", 0);
    expect(envelope.execution?.deadline && timestampMs(envelope.execution.deadline)).toBe(3_000);
    expect(attempt(pipeline, "a", 3_000)).toEqual({ kind: "deadline-reached" });
  });
});

test("ATT-7 a stage that waits is left as it is until its wait is over, or the reason is another", () => {
  const away = compileSnapshot(policy([route("a-work", ["pack"])]), orchestrator, {
    packs: [manifest("pack")],
    instances: [instance("pack", "pack-1", { leaseExpiresAt: NOW - 1 })],
    listeningSince: NOW,
  });
  const pipeline = attempted();
  const first = attempt(pipeline, "a", NOW, { snapshot: busy });
  if (first?.kind !== "deferred") throw new Error("not deferred");
  pipeline.run.now = NOW;
  pipeline.run.apply(first.event);
  expect(attempt(pipeline, "a", NOW + 1, { snapshot: busy })).toBeUndefined();
  expect(attempt(pipeline, "a", NOW + 599_999, { snapshot: busy })).toBeUndefined();
  expect(attempt(pipeline, "a", NOW + 1, { snapshot: away })).toMatchObject({
    kind: "deferred",
    event: { reason: "away" },
  });
  expect(attempt(pipeline, "a", NOW + 600_000, { snapshot: busy })).toMatchObject({
    kind: "refused",
    event: { reason: "waited-too-long" },
  });
  expect(attempt(pipeline, "a", NOW + 1, { snapshot: registry() })?.kind).toBe("sent");
});

test("ATT-8 while others wait for its task type, a stage that could be sent waits behind them, and no longer than the policy says", () => {
  const pipeline = attempted();
  pipeline.run.now = NOW;
  const behind = attempt(pipeline, "a", NOW, { ahead: 2 });
  expect(behind).toMatchObject({ kind: "deferred", event: { reason: "behind", until: NOW + 600_000 } });
  if (behind?.kind === "deferred") pipeline.run.apply(behind.event);
  expect(pipeline.run.facts.at(-1)?.rationale).toBe("Others wait for its task type, and came first");
  expect(pipeline.run.stage("a").wait).toEqual({ reason: "behind", since: NOW, until: NOW + 600_000 });
  expect(attempt(pipeline, "a", NOW + 1, { ahead: 1 })).toBeUndefined();
  expect(attempt(pipeline, "a", NOW + 1)?.kind).toBe("sent");
});

test("ATT-8 what nobody may take is asked of a person at once, whoever waits before it", () => {
  expect(attempt(attempted(), "a", NOW, { ahead: 2, snapshot: nobody })).toMatchObject({ kind: "refused" });
});

test("DSP-110: what kept a stage that the policy had somebody for is no matter of the policy: replayed, it goes where it went", () => {
  const rules = policy([route("a-work", ["pack"])]);
  const manifests = new Map([["pack", [manifest("pack")]]]);
  const replayed = (outcome: ReturnType<typeof attempt>, other = rules) =>
    outcome?.kind === "deferred" || outcome?.kind === "refused"
      ? replayDispatch(outcome.event.decision.rejectionReasons ?? "", other, manifests)
      : undefined;
  const stale = attempted({
    submission: { refs: [{ uriOrLocator: "old", digest: "sha256:a", fetchedAt: timestampFromMs(0) }] },
    configs: [{ handoffPolicy: { freshness: { maxRefStaleness: durationFromMs(1), requireDigest: true } } }],
  });
  const refreshed = new Map([["old", { kind: "failed" as const, why: "the host is away" }]]);
  for (const [outcome, kind] of [
    [attempt(attempted(), "a", NOW, { ahead: 1 }), "deferred"],
    [attempt(stale, "a", NOW, { refreshed }), "refused"],
  ] as const) {
    expect(outcome).toMatchObject({ kind });
    expect(replayed(outcome)).toMatchObject({ kind: "same", before: { packId: "pack" } });
    expect(replayed(outcome, policy([]))).toMatchObject({ kind: "elsewhere", before: { packId: "pack" } });
  }
});

const lost = () => {
  const pipeline = attempted();
  const { event } = sent(pipeline, "a", NOW);
  pipeline.run.now = NOW;
  pipeline.run.apply(event).apply(pipeline.run.lostEvent("a"));
  return { pipeline, later: pipeline.run.stage("a").notBefore ?? NOW };
};
const among = (instances: Parameters<typeof instance>[], fallbackPackId?: string) =>
  compileSnapshot(policy([route("a-work", ["pack"], { fallbackPackId })]), orchestrator, {
    packs: [manifest("pack"), manifest("spare")],
    instances: instances.map((one) => instance(...one)),
  });

const sentAgain = (snapshot: ReturnType<typeof among>) => {
  const { pipeline, later } = lost();
  return sent(pipeline, "a", later, { snapshot }).event;
};

describe("SENT-12 who was sent a stage and gave no result", () => {
  const leased = { leaseExpiresAt: NOW + 700_000 };

  test("is passed over while another can take it, though it has less to do, and the record says so", () => {
    const event = sentAgain(
      among([
        ["pack", "pack-1", leased],
        ["pack", "pack-2", { ...leased, dispatches: 1 }],
      ]),
    );
    expect(event.instanceId).toBe("pack-2");
    expect(JSON.parse(event.decision.rejectionReasons ?? "")).toMatchObject({
      request: { excluded: [{ packId: "pack", instanceId: "pack-1" }] },
      packs: [{ versions: [{ instances: [{ id: "pack-1", reason: "excluded" }, { id: "pack-2" }] }] }],
    });
  });

  test.each([
    ["nobody else is there", []],
    ["the other has no room", [["pack", "pack-2", { ...leased, dispatches: 4 }]]],
    ["only the fallback could take it", [["spare", "spare-1", leased]]],
  ] as [string, Parameters<typeof instance>[]][])("is asked again where %s", (_, others) => {
    const event = sentAgain(among([["pack", "pack-1", leased], ...others], "spare"));
    expect(event.instanceId).toBe("pack-1");
    expect(JSON.parse(event.decision.rejectionReasons ?? "")).not.toHaveProperty("request.excluded");
  });
});
