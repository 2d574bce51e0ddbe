import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import {
  AgentHeartbeatSchema,
  AuditSnapshotSchema,
  EvidenceSchema,
  HandoffPolicySchema,
  jsonSchema,
  RefSchema,
  RoutingSchema,
} from "../index.ts";

const ajv = new Ajv2020({ keywords: ["x-cel"] });
addFormats.default(ajv);

const heartbeat = { packId: "senior-ts-dev", instanceId: "one" };

describe("the JSON Schema of a message", () => {
  test("is a document of its own, named for the message", () => {
    expect(jsonSchema(RoutingSchema)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $id: "urn:signalbox:schema:vasini.agent.v1.Routing",
      title: "Routing",
    });
  });

  test("says which rules it cannot see", () => {
    expect(jsonSchema(RoutingSchema)["$defs"]).toMatchObject({
      "vasini.agent.v1.Routing": {
        "x-cel": [
          {
            id: "routing.selected_among_candidates",
            message: "selected_pack_id must be one of candidate_pack_ids",
            expression: "this.selected_pack_id in this.candidate_pack_ids",
          },
        ],
      },
    });
  });

  test.each([
    ["the least", AgentHeartbeatSchema, heartbeat, true],
    ["a required string left out", AgentHeartbeatSchema, { packId: "senior-ts-dev" }, false],
    [
      "an enum's name",
      AgentHeartbeatSchema,
      { ...heartbeat, health: { status: "HEALTH_STATUS_HEALTHY" } },
      true,
    ],
    ["an enum's number", AgentHeartbeatSchema, { ...heartbeat, health: { status: 1 } }, true],
    ["an enum's unknown name", AgentHeartbeatSchema, { ...heartbeat, health: { status: "WELL" } }, false],
    ["an enum's unknown number", AgentHeartbeatSchema, { ...heartbeat, health: { status: 17 } }, false],
    [
      "NaN where a range is asked",
      AgentHeartbeatSchema,
      { ...heartbeat, health: { errorRate1m: "NaN" } },
      false,
    ],
    ["the field's name in the .proto file", AgentHeartbeatSchema, { ...heartbeat, lease_ttl: "30s" }, false],
    ["a field that the message does not have", AgentHeartbeatSchema, { ...heartbeat, mood: "good" }, false],
    ["null", AgentHeartbeatSchema, { ...heartbeat, capacity: null }, false],
    ["a number out of int32", AgentHeartbeatSchema, { ...heartbeat, capacity: { maxTasks: 2 ** 31 } }, false],
    ["a duration to the nanosecond", AgentHeartbeatSchema, { ...heartbeat, leaseTtl: "0.000000001s" }, true],
    ["a duration of nothing", AgentHeartbeatSchema, { ...heartbeat, leaseTtl: "0.000s" }, false],
    ["a duration before now", AgentHeartbeatSchema, { ...heartbeat, leaseTtl: "-30s" }, false],
    ["a duration without its unit", AgentHeartbeatSchema, { ...heartbeat, leaseTtl: "30" }, false],
    [
      "a measured duration of nothing",
      AgentHeartbeatSchema,
      { ...heartbeat, health: { avgLatency1m: "0s" } },
      true,
    ],
    ["a timestamp", RefSchema, { uriOrLocator: "a", fetchedAt: "2026-02-24T12:00:00Z" }, true],
    ["a time that is no timestamp", RefSchema, { uriOrLocator: "a", fetchedAt: "24 February" }, false],
    ["a required oneof with a member", EvidenceSchema, { noneWithReason: "the sandbox did not start" }, true],
    ["a required oneof without", EvidenceSchema, {}, false],
    ["two members of a oneof", AuditSnapshotSchema, { gate: {}, result: {} }, false],
    ["an optional oneof without", AuditSnapshotSchema, {}, true],
    ["a factor", HandoffPolicySchema, { retry: { backoffMultiplier: 1.5 } }, true],
    ["an infinite factor", HandoffPolicySchema, { retry: { backoffMultiplier: "Infinity" } }, false],
  ])("judges %s", (_what, schema, json, valid) => {
    const document = jsonSchema(schema);
    const validate = ajv.getSchema(String(document["$id"])) ?? ajv.compile(document);
    expect(validate(json)).toBe(valid);
  });
});
