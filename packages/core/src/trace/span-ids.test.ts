import fc from "fast-check";
import { expect, test } from "vitest";
import { executionSpanId, rootSpanId, spanId, stageSpanId } from "./span-ids.ts";

const encoder = new TextEncoder();

/** FNV-1a as it is published, with integers as long as it takes. */
function published(text: string): string {
  let hash = 0xcbf2_9ce4_8422_2325n;
  for (const byte of encoder.encode(text))
    hash = ((hash ^ BigInt(byte)) * 0x100_0000_01b3n) & ((1n << 64n) - 1n);
  return hash.toString(16).padStart(16, "0");
}

test("TRACE-2 an id is FNV-1a of pipeline and path", () => {
  const ascii = fc.string({ unit: "grapheme-ascii" });
  fc.assert(
    fc.property(ascii, ascii, (pipelineId, path) => {
      expect(spanId(pipelineId, path)).toBe(published(`${pipelineId}/${path}`));
    }),
  );
});

test("TRACE-2 any text has an id of 16 hex digits", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(spanId(text, text)).toMatch(/^[0-9a-f]{16}$/);
    }),
  );
});

test("TRACE-2 TRACE-3 no two places of the largest pipeline share an id", () => {
  const pipelineId = "0199a4f2-7c3e-7d10-8a54-2f6b9d0c1e77";
  const stages = Array.from({ length: 256 }, (_, order) => order);
  const attempts = Array.from({ length: 50 }, (_, index) => index + 1);
  const ids = [
    rootSpanId(pipelineId),
    ...stages.map((order) => stageSpanId(pipelineId, order)),
    ...stages.flatMap((order) => attempts.map((attempt) => executionSpanId(pipelineId, order, attempt))),
  ];
  expect(new Set(ids).size).toBe(ids.length);
  expect(stageSpanId("other", 0)).not.toBe(stageSpanId(pipelineId, 0));
});
