import { create } from "@bufbuild/protobuf";
import { AgentResultSchema, Outcome } from "@signalbox/contracts";
import { expect, test } from "vitest";
import type { PipelineEvent } from "../pipeline/event.ts";
import { breakerEnding } from "./breaker-ending.ts";
import { overdueEvent } from "./overdue.ts";

const fence = { stageId: "a", dispatchId: "p-d0.1", attemptNumber: 1 };
const taken = { handedAt: 0, leaseExpiresAt: 60, timeoutAt: null, dueAt: 60 };

test("ATT-9: a dispatch ends for its time, for nobody having taken it, or for its lease, in this order", () => {
  const all = { handedAt: null, leaseExpiresAt: null, timeoutAt: 50, dueAt: 30 };
  expect(overdueEvent(fence, all, 60)?.kind).toBe("dispatch-timed-out");
  expect(overdueEvent(fence, all, 40)?.kind).toBe("transport-failed");
  expect(overdueEvent(fence, { ...taken, timeoutAt: 60 }, 60)?.kind).toBe("dispatch-timed-out");
  expect(overdueEvent(fence, taken, 61)).toEqual({ kind: "lease-lost", ...fence, leaseExpiredAt: 60 });
});

test("ATT-9 D8: one that was renewed, or whose time has not come, is left alone", () => {
  expect(overdueEvent(fence, { ...taken, leaseExpiresAt: 120, dueAt: 120 }, 61)).toBeUndefined();
  expect(overdueEvent(fence, { ...taken, leaseExpiresAt: 120 }, 61)).toBeUndefined();
  expect(overdueEvent(fence, taken, 59)).toBeUndefined();
  expect(overdueEvent(fence, { ...taken, dueAt: null }, 61)).toBeUndefined();
});

const lost = (before: number, after: number) => ({
  before: { sendsLost: before },
  after: { sendsLost: after },
});
const ended = (event: PipelineEvent, stage = lost(0, 0)) => breakerEnding(event, fence, stage);

test("ATT-10 D5: a lost lease, a timeout and an invalid result count as failures", () => {
  expect(ended({ kind: "lease-lost", ...fence, leaseExpiredAt: 1 })).toBe("failed");
  expect(ended({ kind: "dispatch-timed-out", ...fence })).toBe("failed");
  expect(ended({ kind: "agent-failed", ...fence, detail: "exit 3" })).toBe("failed");
});

test("ATT-10 SENT-9: one that nobody took counts once the stage may not be sent again for it", () => {
  const event: PipelineEvent = { kind: "transport-failed", ...fence, detail: "" };
  expect(ended(event, lost(0, 1))).toBe("cancelled");
  expect(ended(event, lost(1, 0))).toBe("failed");
});

test("ATT-10 SENT-11 D5: of one that was handed back and is sent again nothing is learned", () => {
  const result = create(AgentResultSchema, { status: { outcome: Outcome.RETRYABLE_FAILURE } });
  const event: PipelineEvent = {
    kind: "result-accepted",
    by: { type: "agent", id: "p-1" },
    ...fence,
    result,
    schemaVersionExpected: "1.0.0",
    judgement: null,
  };
  expect(ended(event, lost(0, 1))).toBe("cancelled");
  expect(ended(event)).toBe("failed");
});

test("ATT-10: of a dispatch that another event called off nothing is learned", () => {
  const by = { type: "human", id: "ada" } as const;
  expect(ended({ kind: "abort", by, note: "" })).toBe("cancelled");
  expect(ended({ kind: "lease-lost", ...fence, dispatchId: "p-d1.1", leaseExpiredAt: 1 })).toBe("cancelled");
});
