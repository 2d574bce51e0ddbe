import { PipelineStatus } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { isRequestKey, judgeRepeat } from "./repeated-request.ts";

const digest = (byte: number) => new Uint8Array(32).fill(byte);
const again = { key: "order-7", digest: digest(1) };

const of = (status: PipelineStatus) =>
  judgeRepeat({ digest: digest(1), pipeline: { pipelineId: "pl-1", status } }, again);

test("ONCE-1 the same request is answered as the first time", () => {
  expect(judgeRepeat({ digest: digest(1), pipeline: null }, again)).toEqual({ kind: "answered-before" });
});

test("ONCE-2 another request under the same key is refused, also where the first one's pipeline failed", () => {
  const failed = { pipelineId: "pl-1", status: PipelineStatus.FAILED };
  for (const pipeline of [null, failed]) {
    expect(judgeRepeat({ digest: digest(2), pipeline }, again)).toMatchObject({
      kind: "refused",
      code: "IDEMPOTENCY_KEY_REUSED",
      detail: expect.stringContaining('"order-7"'),
    });
  }
});

test("ONCE-3 a key whose pipeline failed says so, and names it", () => {
  expect(of(PipelineStatus.FAILED)).toMatchObject({
    kind: "refused",
    code: "IDEMPOTENT_RUN_FAILED",
    detail: expect.stringContaining("Pipeline pl-1"),
  });
  for (const status of [PipelineStatus.RUNNING, PipelineStatus.COMPLETED, PipelineStatus.ABORTED]) {
    expect(of(status)).toEqual({ kind: "answered-before" });
  }
});

test("ONCE-4 a key is bounded, and of visible characters", () => {
  expect(["a", "0199a7c0-5f2e", "x".repeat(255), "~!"].map(isRequestKey)).toEqual([true, true, true, true]);
  const unfit = ["", "x".repeat(256), "two words", "é", "a\n", "\0"];
  expect(unfit.filter(isRequestKey)).toEqual([]);
});
