import fc from "fast-check";
import { expect, test } from "vitest";
import { isSampled, otlpTraces } from "./otlp.ts";
import type { Span } from "./span.ts";

const root: Span = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentSpanId: "",
  tenantId: "default",
  agentId: "",
  pipelineId: "pl-1",
  stageId: "",
  dispatchId: "",
  attemptNumber: 0,
  name: "pipeline",
  startedAt: 1_790_000_000_123,
  endedAt: 1_790_000_001_000,
  status: "ok",
  attributes: { revision: 7, share: 0.5, done: true, names: ["a", "b"], inner: { x: null } },
};
const child: Span = {
  ...root,
  spanId: "00f067aa0ba902b7",
  parentSpanId: root.spanId,
  name: "stage",
  stageId: "a",
  status: "error",
  endedAt: null,
  attributes: {},
};

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

test("TRACE-13 spans are told as OTLP's JSON mapping has them, with every correlation field of 5.1", () => {
  const told = otlpTraces([root, child], { serviceName: "yard", version: "1.2.3" });
  expect(told).toEqual({
    resourceSpans: [
      {
        resource: { attributes: [text("service.name", "yard"), text("service.version", "1.2.3")] },
        scopeSpans: [
          {
            scope: { name: "signalbox", version: "1.2.3" },
            spans: [
              {
                traceId: root.traceId,
                spanId: root.spanId,
                name: "pipeline",
                kind: 1,
                startTimeUnixNano: "1790000000123000000",
                endTimeUnixNano: "1790000001000000000",
                attributes: [
                  text("tenant_id", "default"),
                  text("agent_id", ""),
                  text("pipeline_id", "pl-1"),
                  text("stage_id", ""),
                  text("dispatch_id", ""),
                  { key: "attempt_number", value: { intValue: "0" } },
                  { key: "signalbox.revision", value: { intValue: "7" } },
                  { key: "signalbox.share", value: { doubleValue: 0.5 } },
                  { key: "signalbox.done", value: { boolValue: true } },
                  {
                    key: "signalbox.names",
                    value: { arrayValue: { values: [{ stringValue: "a" }, { stringValue: "b" }] } },
                  },
                  { key: "signalbox.inner", value: { kvlistValue: { values: [{ key: "x", value: {} }] } } },
                ],
                status: { code: 1 },
              },
              expect.objectContaining({
                spanId: child.spanId,
                parentSpanId: root.spanId,
                endTimeUnixNano: "1790000000123000000",
                status: { code: 2 },
              }),
            ],
          },
        ],
      },
    ],
  });
});

const traceId = fc
  .array(fc.constantFrom(..."0123456789abcdef".split("")), { minLength: 32, maxLength: 32 })
  .map((digits) => digits.join(""));

test("TRACE-14 all are taken, or none, or what a smaller share takes too", () => {
  fc.assert(
    fc.property(
      traceId,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (id, one, other) => {
        expect([isSampled(id, 1), isSampled(id, 0)]).toEqual([true, false]);
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(Number(isSampled(id, more))).toBeGreaterThanOrEqual(Number(isSampled(id, less)));
      },
    ),
  );
});

test("TRACE-14 of ids drawn at random about the share is taken", () => {
  const ids = Array.from({ length: 10_000 }, (_, at) =>
    (BigInt(at) * 0x9e3779b97f4a7c15n).toString(16).padStart(32, "0"),
  );
  const taken = ids.filter((id) => isSampled(id, 0.25)).length;
  expect(taken).toBeGreaterThan(2_300);
  expect(taken).toBeLessThan(2_700);
});
