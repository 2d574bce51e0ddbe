import { create } from "@bufbuild/protobuf";
import { AgentResultSchema, findViolations, Outcome, TaskEnvelopeSchema } from "@signalbox/contracts";
import { fallbackResponse } from "@signalbox/contracts/sacp";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sacpResult } from "./sacp-result.ts";

const envelope = create(TaskEnvelopeSchema, {
  protocolVersion: { schemaVersion: "1.0.0" },
  trace: { traceId: "t", spanId: "s", tenantId: "default", agentId: "writer" },
  execution: { dispatchId: "p-d0.2", attemptNumber: 2 },
});
const answer = {
  thought: "5+5 is 10.",
  status: "success",
  data: { result: 10 },
  message: "The result is 10.",
};
const said = (output: string) => sacpResult(envelope, output, "claude -p");

test.each([
  ["success", Outcome.SUCCESS, ""],
  ["completed", Outcome.SUCCESS, ""],
  ["failure", Outcome.NON_RETRYABLE_FAILURE, "SACP_FAILURE"],
  ["clarification_needed", Outcome.PARTIAL, ""],
])("SACP-40 (D12) %s is the outcome %d", (status, outcome, failureCode) => {
  const result = said(JSON.stringify({ ...answer, status }));
  expect(result.status).toMatchObject({ outcome, failureCode });
  expect(result.response).toMatchObject({ status, data: { result: 10 }, message: answer.message });
});

test.each(["", "I am sorry.", "{", '{"status":"done"}', "[1]", "```json\n```"])(
  "SACP-40 (D12) %j is the fallback, and tried again",
  (raw) => {
    const result = said(raw);
    const { thought, message } = fallbackResponse(raw);
    expect(result.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureCode: "SACP_UNPARSEABLE",
      failureReason: expect.stringContaining(message),
    });
    expect(result.response).toMatchObject({ thought, message, status: "failure", data: { raw_output: raw } });
  },
);

test("SACP-41 whatever a model writes becomes a result that obeys the contract", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.json(),
    fc.jsonValue().map((data) => JSON.stringify({ ...answer, data })),
  );
  fc.assert(
    fc.property(texts, (text) => {
      const result = said(text);
      expect(findViolations(AgentResultSchema, result)).toEqual([]);
      expect(result).toMatchObject({ dispatchId: "p-d0.2", attemptNumber: 2 });
    }),
    { numRuns: 40 },
  );
});

test("SACP-41 evidence is what was run, and not what the answer claims", () => {
  const result = said(JSON.stringify({ ...answer, evidence: "all tests pass" }));
  expect(result.evidence?.evidencePayload.value).toMatchObject({
    items: [{ command: "claude -p", passed: true }],
  });
});
