import { create } from "@bufbuild/protobuf";
import { ActorType, AgentHeartbeatSchema, AuditEventType, HealthStatus } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideStanding, GOOD_STANDING } from "../gate/quarantine.ts";
import {
  factsOfInstance,
  FORGET_AFTER_MS,
  healthOf,
  type KnownInstance,
  mayForget,
  presenceOf,
} from "./instance.ts";
import { decideDraining, type Draining } from "./draining.ts";
import { drainingChanged, instanceFirstSeen, standingChanged } from "./instance-entries.ts";

const NOW = 1_772_000_000_000;
const known = (said: Partial<KnownInstance> = {}): KnownInstance => ({
  heartbeat: create(AgentHeartbeatSchema, {
    packId: "qa-engineer",
    instanceId: "qa-1",
    health: { status: HealthStatus.HEALTHY },
    capacity: { activeTasks: 3, maxTasks: 5 },
  }),
  packVersion: "1.0.0",
  standing: GOOD_STANDING,
  leaseExpiresAt: NOW + 1,
  draining: false,
  dispatchesWhenHeard: 2,
  ...said,
});
const quarantined = {
  ...GOOD_STANDING,
  consecutiveInvalid: 3,
  lastError: "trace_id differs",
  quarantinedAt: NOW - 5,
};
const saying = (status: HealthStatus) =>
  create(AgentHeartbeatSchema, { packId: "qa-engineer", instanceId: "qa-1", health: { status } });

describe("an instance's facts", () => {
  test("INST-1 are its own word, and our count of what it was given", () => {
    expect(factsOfInstance(known(), 2)).toMatchObject({
      packId: "qa-engineer",
      instanceId: "qa-1",
      packVersion: "1.0.0",
      health: HealthStatus.HEALTHY,
      dispatches: 2,
      otherTasks: 1,
      maxTasks: 5,
      leaseExpiresAt: NOW + 1,
      draining: false,
    });
  });

  test("INST-1 tell its other work by our count of when it was heard, or of now where that is not known", () => {
    expect(factsOfInstance(known({ dispatchesWhenHeard: 3 }), 0)).toMatchObject({
      dispatches: 0,
      otherTasks: 0,
    });
    expect(factsOfInstance(known({ dispatchesWhenHeard: undefined }), 1)).toMatchObject({ otherTasks: 2 });
  });

  test("INST-1 D7 no word of its own lifts a quarantine, and none makes one", () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 2, 3, 4), (status: HealthStatus) => {
        const heartbeat = saying(status);
        const expected = status === HealthStatus.QUARANTINED ? HealthStatus.UNHEALTHY : status;
        expect(healthOf(known({ heartbeat }))).toBe(expected);
        expect(factsOfInstance(known({ heartbeat }), 0).health).toBe(expected);
        expect(healthOf(known({ heartbeat, standing: quarantined }))).toBe(HealthStatus.QUARANTINED);
        expect(factsOfInstance(known({ heartbeat, standing: quarantined }), 0).health).toBe(
          HealthStatus.QUARANTINED,
        );
      }),
    );
  });
});

const presences = [
  ["present", {}],
  ["draining", { draining: true }],
  ["away", { leaseExpiresAt: NOW, draining: true }],
  ["quarantined", { standing: quarantined, leaseExpiresAt: NOW - 1 }],
] as const;
test.each(presences)("INST-2 an instance is %s", (presence, said) => {
  expect(presenceOf(known(said), NOW)).toBe(presence);
});

test.each([
  [true, {}],
  [false, { leaseExpiresAt: NOW - FORGET_AFTER_MS + 1 }],
  [false, { dispatches: 1 }],
  [false, { health: HealthStatus.QUARANTINED }],
])("INST-3 whether it is forgotten: %j, %j", (forgotten, said) => {
  const gone = { leaseExpiresAt: NOW - FORGET_AFTER_MS, health: HealthStatus.HEALTHY, dispatches: 0 };
  expect(mayForget({ ...gone, ...said }, NOW)).toBe(forgotten);
});

describe("on record", () => {
  const context = { tenantId: "north", actor: { type: "agent", id: "key/qa" }, requestId: "r-1" } as const;
  const ref = { packId: "qa-engineer", instanceId: "qa-1" };

  test("INST-4 the first time, with version and health", () => {
    const entry = instanceFirstSeen(context, ref, { packVersion: "1.0.0", health: HealthStatus.HEALTHY });
    expect(entry).toMatchObject({
      eventType: AuditEventType.INSTANCE_FIRST_SEEN,
      packId: "qa-engineer",
      action: "heard of instance qa-1 of qa-engineer for the first time",
      snapshot: {
        snapshotPayload: {
          case: "agentHealth",
          value: { instanceId: "qa-1", packVersion: "1.0.0", healthStatus: HealthStatus.HEALTHY },
        },
      },
    });
  });

  test("INST-4 a quarantine, in the orchestrator's name", () => {
    const decision = decideStanding(
      { ...GOOD_STANDING, consecutiveInvalid: 2 },
      { kind: "invalid-result", error: "trace_id differs" },
      NOW,
    );
    if (decision.kind !== "quarantined") throw new Error("not quarantined");
    const entry = standingChanged(context, ref, decision.entry, HealthStatus.QUARANTINED);
    expect(entry).toMatchObject({
      eventType: AuditEventType.AGENT_QUARANTINED,
      actor: { type: ActorType.ORCHESTRATOR, id: "orchestrator" },
      action: "quarantined instance qa-1 of qa-engineer",
      rationale: "3 invalid results in a row, the last: trace_id differs",
      snapshot: {
        snapshotPayload: {
          case: "agentHealth",
          value: { consecutiveInvalid: 3, lastError: "trace_id differs" },
        },
      },
    });
  });
});

describe("INST-6 draining", () => {
  const by = { type: "human", id: "ada" } as const;
  const drain = { kind: "drain", by, note: "Its machine is replaced." } as const;
  const asked: Draining = { since: NOW, reason: "Its machine is replaced." };

  test("is asked for and taken back, each with an entry in the name of who said it", () => {
    const decision = decideDraining(null, drain, NOW);
    expect(decision).toMatchObject({ kind: "draining", draining: asked });
    if (decision.kind !== "draining") throw new Error("not draining");
    const ref = { packId: "qa-engineer", instanceId: "qa-1" };
    expect(
      drainingChanged({ tenantId: "north", requestId: "r-1" }, ref, decision.entry, HealthStatus.HEALTHY),
    ).toMatchObject({
      eventType: AuditEventType.INSTANCE_DRAINED,
      actor: { type: ActorType.HUMAN, id: "ada" },
      packId: "qa-engineer",
      action: "asked to drain: instance qa-1 of qa-engineer",
      rationale: "Its machine is replaced.",
      snapshot: { snapshotPayload: { case: "agentHealth", value: { instanceId: "qa-1" } } },
    });
    const back = { kind: "resume", by, note: "" } as const;
    expect(decideDraining(asked, back, NOW + 1)).toMatchObject({
      kind: "resumed",
      draining: null,
      entry: {
        eventType: AuditEventType.INSTANCE_RESUMED,
        rationale: "It may be given work again; it was drained for: Its machine is replaced.",
      },
    });
    expect(decideDraining(asked, { ...back, note: "It stays." }, NOW)).toMatchObject({
      entry: { rationale: "It stays." },
    });
  });

  test("is neither asked for nor taken back twice", () => {
    expect(decideDraining(asked, drain, NOW + 1)).toEqual({ kind: "refused", reason: "draining-already" });
    expect(decideDraining(null, { kind: "resume", by, note: "" }, NOW)).toEqual({
      kind: "refused",
      reason: "not-draining",
    });
  });
});
