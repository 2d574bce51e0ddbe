import { HealthStatus, PipelineStatus, StageStatus } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import type { Escalation } from "../pipeline/escalation.ts";
import {
  alertRaisedEvent,
  alertResolvedEvent,
  documentEvent,
  escalationAssignedEvent,
  escalationCommentedEvent,
  instanceEvent,
  learningEvent,
  mayEndStanding,
  keyEvent,
  memberEvent,
  retentionEvent,
  packRegisteredEvent,
  pipelineEvents,
} from "./feed-event.ts";
import { topicsOf } from "./topic.ts";

const step = {
  pipelineId: "p",
  traceId: "t",
  revision: 7,
  transitions: [],
  opened: [],
  closed: [],
  facts: [],
};
const question: Escalation = {
  escalationId: "p-e1",
  cause: "gate",
  stageId: "a",
  attemptNumber: 2,
  problem: "what it asks",
  impact: "what waits",
  options: ["retry", "abort"],
  recommended: "retry",
  blocking: true,
  onTimeout: "stays-open",
  openedAt: 0,
  gate: null,
  quarantined: null,
  staleRefs: [],
};

describe("events of the feed", () => {
  test("STREAM-9 a step tells its transitions in order and by name, and each escalation by itself", () => {
    const events = pipelineEvents({
      ...step,
      transitions: [
        {
          kind: "stage-transition",
          stageId: "a",
          attemptNumber: 2,
          from: StageStatus.DISPATCHED,
          to: StageStatus.FAILED,
          gitHash: null,
        },
        { kind: "pipeline-transition", from: PipelineStatus.RUNNING, to: PipelineStatus.PAUSED },
      ],
      opened: [question],
      closed: [
        { escalationId: "p-e0", end: { kind: "superseded", why: "rewound" } },
        {
          escalationId: "p-e2",
          end: {
            kind: "resolved",
            resolution: { option: "answer", answer: "said in confidence" },
            by: { type: "human", id: "ada" },
            comment: "said in confidence",
          },
        },
      ],
    });
    expect(events).toEqual([
      {
        kind: "pipeline.changed",
        pipelineId: "p",
        data: {
          revision: 7,
          traceId: "t",
          transitions: [
            { stageId: "a", attemptNumber: 2, from: "STAGE_STATUS_DISPATCHED", to: "STAGE_STATUS_FAILED" },
            { from: "PIPELINE_STATUS_RUNNING", to: "PIPELINE_STATUS_PAUSED" },
          ],
          opened: ["p-e1"],
          closed: ["p-e0", "p-e2"],
        },
      },
      {
        kind: "escalation.opened",
        pipelineId: "p",
        data: {
          escalationId: "p-e1",
          cause: "gate",
          stageId: "a",
          attemptNumber: 2,
          options: ["retry", "abort"],
          recommended: "retry",
        },
      },
      {
        kind: "escalation.closed",
        pipelineId: "p",
        data: { escalationId: "p-e0", how: "superseded", why: "rewound" },
      },
      {
        kind: "escalation.closed",
        pipelineId: "p",
        data: { escalationId: "p-e2", how: "resolved", option: "answer", by: { type: "human", id: "ada" } },
      },
    ]);
    expect(JSON.stringify(events)).not.toContain("confidence");
  });

  test("STREAM-9 a step that nobody outside can see is told to nobody", () => {
    expect(pipelineEvents(step)).toEqual([]);
  });

  test("STREAM-10 packs, instances, documents and alerts are named, on a topic that somebody can hear", () => {
    const ref = { packId: "painter", instanceId: "one" };
    const events = [
      packRegisteredEvent({ packId: "painter", packVersion: "1.0.0" }),
      instanceEvent("first-seen", ref, HealthStatus.HEALTHY),
      instanceEvent("lost", ref),
      documentEvent("published", { kind: "routing-policy", version: "2" }, { type: "human", id: "ada" }),
      alertRaisedEvent("redaction-blocked", { pipelineId: "p", detail: "why" }),
      alertResolvedEvent("breaker-open", "why"),
    ];
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([
      ["pack.registered", { packId: "painter", packVersion: "1.0.0" }],
      ["instance.first-seen", { ...ref, healthStatus: "HEALTH_STATUS_HEALTHY" }],
      ["instance.lost", ref],
      ["document.published", { kind: "routing-policy", version: "2", by: { type: "human", id: "ada" } }],
      ["alert.raised", { alert: "redaction-blocked", detail: "why" }],
      ["alert.resolved", { alert: "breaker-open", detail: "why" }],
    ]);
    for (const event of events) expect(topicsOf(event)).toContain("tenant");
  });

  test("STREAM-14 what becomes of a member is told to whoever hears of all that is decided, by whose it is alone", () => {
    const event = memberEvent("changed", { memberId: "vera" });
    expect(event).toEqual({ kind: "member.changed", pipelineId: null, data: { memberId: "vera" } });
    const news = ["invited", "changed", "removed", "signed-in", "signed-out"] as const;
    expect(news.map((one) => mayEndStanding(memberEvent(one, { memberId: "vera" }).kind))).toEqual([
      false,
      true,
      true,
      false,
      true,
    ]);
    expect(topicsOf(event)).toEqual(["tenant"]);
  });

  test("STREAM-11 who attends to an escalation and who commented is told, and not what was said", () => {
    const by = { type: "human", id: "ada" } as const;
    const of = { pipelineId: "p", escalationId: "p-e1" };
    const events = [
      escalationAssignedEvent(of, { assigneeId: "bob", by }),
      escalationCommentedEvent(of, { number: 3, by }),
    ];
    expect(events).toEqual([
      {
        kind: "escalation.assigned",
        pipelineId: "p",
        data: { escalationId: "p-e1", assigneeId: "bob", by },
      },
      { kind: "escalation.commented", pipelineId: "p", data: { escalationId: "p-e1", number: 3, by } },
    ]);
    for (const event of events) expect(topicsOf(event)).toContain("escalations");
  });

  test("STREAM-12 an alert says what it is and what of, on the topic of alerts", () => {
    const quarantined = alertRaisedEvent("agent-quarantined", {
      pipelineId: null,
      detail: "painter-1: full",
    });
    expect(quarantined).toEqual({
      kind: "alert.raised",
      pipelineId: null,
      data: { alert: "agent-quarantined", detail: "painter-1: full" },
    });
    expect(topicsOf(quarantined)).toEqual(["tenant", "alerts"]);
    const late = pipelineEvents({
      ...step,
      opened: [{ ...question, cause: "deadline" }],
      facts: [{ action: "pipeline.paused-on-deadline" }, { action: "escalation.opened" }],
    });
    expect(late.map(({ kind, data }) => [kind, data["alert"]])).toEqual([
      ["pipeline.changed", undefined],
      ["escalation.opened", undefined],
      ["alert.raised", "deadline-breached"],
    ]);
    const ended = pipelineEvents({
      ...step,
      transitions: [{ kind: "pipeline-transition", from: PipelineStatus.RUNNING, to: PipelineStatus.FAILED }],
      facts: [{ action: "pipeline.failed-on-deadline" }],
    });
    expect(ended.map(({ kind, data }) => [kind, data["alert"]])).toEqual([
      ["pipeline.changed", undefined],
      ["alert.raised", "deadline-breached"],
    ]);
    expect(ended[1]?.data["detail"]).toContain("task's own deadline");
  });

  test("STREAM-13 what became of learning is named, to whoever hears of all that is decided", () => {
    const events = [
      learningEvent("rated", { taskId: "t" }),
      learningEvent("learnt"),
      learningEvent("proposed", { proposalId: "p" }),
      learningEvent("decided", { proposalId: "p", decision: "accepted" }),
    ];
    expect(events.map(({ kind, data }) => [kind, data])).toEqual([
      ["learning.rated", { taskId: "t" }],
      ["learning.learnt", {}],
      ["learning.proposed", { proposalId: "p" }],
      ["learning.decided", { proposalId: "p", decision: "accepted" }],
    ]);
    for (const event of events) expect(topicsOf(event)).toEqual(["tenant"]);
  });
});

test("STREAM-15 of retention it is told that there is news, and nothing of it", () => {
  expect(retentionEvent()).toEqual({ kind: "retention.changed", pipelineId: null, data: {} });
});

test("STREAM-17 of keys it is told that there is news, and nothing of whose", () => {
  expect(keyEvent()).toEqual({ kind: "key.changed", pipelineId: null, data: {} });
});
