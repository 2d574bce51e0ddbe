import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Caller, type Role, roles } from "../caller.ts";
import { INSTANCE_HEARD } from "./feed-event.ts";
import { familiesOf, familyOf, mayListen, readTopic, topicsOf, topicText } from "./topic.ts";

const caller = (role: Role): Caller => ({
  tenantId: "north",
  actor: { type: "system", id: "reader" },
  role,
  credential: "key",
});
const wide = ["tenant", "escalations", "registry", "alerts"] as const;

describe("topics", () => {
  test("STREAM-1 each topic's text is read as that topic, and no other text as any", () => {
    for (const text of [...wide, "pipeline:0199a7c0-0000-7000-8000-000000000001"]) {
      const topic = readTopic(text);
      expect(topic && topicText(topic)).toBe(text);
    }
    for (const text of [
      "",
      "Tenant",
      "tenant ",
      "pipeline:",
      "pipeline:a b",
      "pipeline:a\n",
      `pipeline:${"a".repeat(65)}`,
    ]) {
      expect(readTopic(text)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (text) => {
        const topic = readTopic(text);
        return topic === undefined || topicText(topic) === text;
      }),
    );
  });

  test.each([
    ["pipeline.changed", "p", ["tenant", "pipeline:p"]],
    ["escalation.opened", "p", ["tenant", "escalations", "pipeline:p"]],
    ["pack.registered", null, ["tenant", "registry"]],
    ["instance.lost", null, ["tenant", "registry"]],
    ["document.published", null, ["tenant"]],
    ["alert.raised", null, ["tenant", "alerts"]],
    ["learning.proposed", null, ["tenant"]],
    ["retention.changed", null, ["tenant"]],
    ["member.signed-in", null, ["tenant"]],
    ["key.changed", null, ["tenant"]],
    ["alert.raised", "p", ["tenant", "alerts", "pipeline:p"]],
  ])("STREAM-2 STREAM-3 %s of pipeline %s goes to %j", (kind, pipelineId, topics) => {
    expect(topicsOf({ kind, pipelineId })).toEqual(topics);
  });

  test("STREAM-16 what says that instances were heard is of a family that the registry is told of", () => {
    expect(familiesOf("registry")).toContain(familyOf(INSTANCE_HEARD));
    expect(topicsOf({ kind: INSTANCE_HEARD, pipelineId: null })).toContain("registry");
  });

  test.each(["turn.reported", "trace.event", "unheard.of", "tenantless", "", "constructor.x"])(
    "STREAM-3 STREAM-4 %s goes to its pipeline alone, or to nobody",
    (kind) => {
      expect(topicsOf({ kind, pipelineId: "p" })).toEqual(["pipeline:p"]);
      expect(topicsOf({ kind, pipelineId: null })).toEqual([]);
    },
  );

  test("STREAM-2 what a topic's families are is what its events are", () => {
    for (const topic of wide) {
      for (const family of familiesOf(topic)) {
        expect(topicsOf({ kind: `${family}.anything`, pipelineId: null })).toContain(topic);
      }
    }
    expect(familiesOf("registry")).toEqual(["pack", "instance"]);
  });

  test("STREAM-5 every member listens to every topic, and an agent's key to none", () => {
    for (const role of roles) {
      for (const topic of [
        ...wide.map((kind) => ({ kind })),
        { kind: "pipeline", pipelineId: "p" } as const,
      ]) {
        const decision = mayListen(caller(role), topic);
        const why = decision.allowed ? "" : decision.reason;
        expect(why).toMatch(role === "agent" ? /^reading .* needs the role / : /^$/);
      }
    }
  });
});
