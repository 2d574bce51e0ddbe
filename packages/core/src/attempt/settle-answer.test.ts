import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  AgentResponseSchema,
  type AgentResult,
  AgentResultSchema,
  Outcome,
  StageConfigSchema,
} from "@signalbox/contracts";
import { fallbackResponse } from "@signalbox/contracts/sacp";
import { describe, expect, test } from "vitest";
import type { Guardrail } from "../sacp/guardrails.ts";
import { settleAnswer } from "./settle-answer.ts";

type ResponseInit = Extract<MessageInitShape<typeof AgentResponseSchema>, { $typeName?: never }>;
type ResultInit = Extract<MessageInitShape<typeof AgentResultSchema>, { $typeName?: never }>;
const asks = create(StageConfigSchema, { responseFormat: "json_standard" });
const said = (status: string, init: ResponseInit = {}) =>
  create(AgentResponseSchema, { thought: "t", status, data: {}, message: "Done", ...init });
const report = (outcome: Outcome, init: ResultInit = {}): AgentResult =>
  create(AgentResultSchema, { status: { outcome, summary: "done" }, ...init });
const settled = (
  result: AgentResult,
  config = asks,
  rules: readonly Guardrail[] = [],
  masked: string[] = [],
) =>
  settleAnswer(
    result,
    { answer: config.responseFormat === "json_standard", config },
    rules,
    masked.map((path) => ({ path, rule: "r", count: 1 })),
  );

describe("SACP-42 (D12) the answer's status and the agent's outcome together", () => {
  test.each([
    ["success", Outcome.SUCCESS, Outcome.SUCCESS],
    ["completed", Outcome.UNSPECIFIED, Outcome.SUCCESS],
    ["success", Outcome.PARTIAL, Outcome.PARTIAL],
    ["success", Outcome.RETRYABLE_FAILURE, Outcome.RETRYABLE_FAILURE],
    ["success", Outcome.POLICY_BLOCKED, Outcome.POLICY_BLOCKED],
    ["failure", Outcome.SUCCESS, Outcome.NON_RETRYABLE_FAILURE],
    ["failure", Outcome.UNSPECIFIED, Outcome.NON_RETRYABLE_FAILURE],
    ["failure", Outcome.RETRYABLE_FAILURE, Outcome.RETRYABLE_FAILURE],
    ["clarification_needed", Outcome.UNSPECIFIED, Outcome.PARTIAL],
  ])("%s and %d are %d", (status, outcome, comesTo) => {
    const { result } = settled(report(outcome, { response: said(status) }));
    expect(result.status?.outcome).toBe(comesTo);
    expect(result.response?.status).toBe(status);
  });

  test("the fallback is retryable whatever the agent made of it, and is named", () => {
    const { thought, status, data, message } = fallbackResponse("raw");
    for (const outcome of [Outcome.SUCCESS, Outcome.NON_RETRYABLE_FAILURE, Outcome.UNSPECIFIED]) {
      const response = said(status, { thought, message, data: { raw_output: String(data["raw_output"]) } });
      expect(settled(report(outcome, { response })).result.status).toMatchObject({
        outcome: Outcome.RETRYABLE_FAILURE,
        failureCode: "SACP_UNPARSEABLE",
      });
    }
  });
});

describe("SACP-43 where the answer is missing that was asked for", () => {
  test("the summary is read as the model's text", () => {
    const summary = 'Sure: {"thought":"t","status":"success","data":{"n":1},"message":"One"}';
    const { result } = settled(report(Outcome.SUCCESS, { status: { outcome: Outcome.SUCCESS, summary } }));
    expect(result.response).toMatchObject({ status: "success", data: { n: 1 }, message: "One" });
    expect(result.status).toMatchObject({ outcome: Outcome.SUCCESS, summary: "One" });
  });

  test("a text that is none is the fallback, and the agent is told why", () => {
    const { result } = settled(report(Outcome.SUCCESS));
    expect(result.response?.data).toEqual({ raw_output: "done" });
    expect(result.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureReason: "The LLM returned an invalid response format. (the output holds no JSON object)",
    });
  });

  test("an agent that failed before it could answer has failed, and no more", () => {
    const failed = report(Outcome.RETRYABLE_FAILURE);
    expect(settled(failed).result).toBe(failed);
  });

  test("and where none was asked for, the result is handed through as it is", () => {
    const plain = report(Outcome.SUCCESS);
    expect(settled(plain, create(StageConfigSchema)).result).toBe(plain);
  });
});

const withhold: Guardrail = {
  name: "quiet",
  when: 'response.status == "failure" && sensitive.data',
  effect: "redact_message",
};
/** What an agent reported as its model's text, after something in it was masked. */
const written = (outcome: Outcome, summary: string, rules = [withhold]) =>
  settled(report(outcome, { status: { outcome, summary } }), asks, rules, ["status.summary"]);
const failureText = (data: string, message: string, thought = "t") =>
  `{"thought":"${thought}","status":"failure","data":{${data}},"message":"${message}"}`;

describe("SACP-44 SACP-45 guardrails", () => {
  const forbid: Guardrail = {
    name: "no-promises",
    when: 'response.message.contains("guarantee")',
    effect: "fail",
  };

  test("withhold the message of a failure with sensitive data, and keep the data", () => {
    const failure = report(Outcome.UNSPECIFIED, { response: said("failure", { data: { key: "[masked]" } }) });
    const { result, guardrails } = settled(failure, asks, [withhold], ["response.data.key"]);
    expect(result.response).toMatchObject({
      message: "[withheld by guardrail quiet]",
      data: { key: "[masked]" },
    });
    expect(result.status?.summary).toBe("[withheld by guardrail quiet]");
    expect(guardrails).toEqual([{ name: "quiet", effect: "redact_message" }]);
    expect(settled(failure, asks, [withhold]).guardrails).toEqual([]);
  });

  describe("look at an answer that the agent reported as its model's text", () => {
    const loud: Guardrail = { name: "loud", when: "sensitive.message", effect: "redact_message" };
    const masked = "[redacted:github-token]";

    test.each([
      ["plain", failureText(`"key":"${masked}"`, "no")],
      ["fenced", `Here:\n\`\`\`json\n${failureText(`"key":"${masked}"`, "no")}\n\`\`\``],
      ["named by what was masked", failureText(`"${masked}":1`, "no")],
      ["bent by the masking", failureText(`"key":${masked}`, "no")],
      ["beside a marker that no member has", `${masked} ${failureText("", "no")}`],
    ])("%s", (_name, text) => {
      const { result, guardrails } = written(Outcome.UNSPECIFIED, text);
      expect(guardrails).toEqual([{ name: "quiet", effect: "redact_message" }]);
      expect(result.response?.message).toBe("[withheld by guardrail quiet]");
      expect(result.status?.summary).toBe("[withheld by guardrail quiet]");
    });

    test("where the masked value stands in another member, that member alone counts", () => {
      expect(written(Outcome.UNSPECIFIED, failureText("", "no", masked)).guardrails).toEqual([]);
      expect(written(Outcome.UNSPECIFIED, failureText("", masked)).guardrails).toEqual([]);
      expect(written(Outcome.UNSPECIFIED, failureText("", masked), [loud]).guardrails).toHaveLength(1);
      expect(written(Outcome.UNSPECIFIED, failureText(`"key":"${masked}"`, "no"), [loud]).guardrails).toEqual(
        [],
      );
    });

    test("also where the agent reports the failure itself, as an answer or in its own words", () => {
      const answered = written(Outcome.RETRYABLE_FAILURE, failureText(`"key":"${masked}"`, "no"));
      expect(answered.result.status).toMatchObject({
        outcome: Outcome.RETRYABLE_FAILURE,
        summary: "[withheld by guardrail quiet]",
      });
      const { result, guardrails } = written(Outcome.RETRYABLE_FAILURE, `${masked} was refused`);
      expect(guardrails).toEqual([{ name: "quiet", effect: "redact_message" }]);
      expect(result.status?.summary).toBe("[withheld by guardrail quiet]");
      expect(result.response).toBeUndefined();
      expect(written(Outcome.RETRYABLE_FAILURE, "I guarantee nothing", [forbid]).result.status).toMatchObject(
        {
          outcome: Outcome.NON_RETRYABLE_FAILURE,
          failureCode: "SACP_GUARDRAIL",
        },
      );
    });
  });

  test("force a failure before the next stage is given anything", () => {
    const { result, guardrails } = settled(
      report(Outcome.SUCCESS, { response: said("success", { message: "I guarantee it" }) }),
      asks,
      [withhold, forbid],
    );
    expect(result.response?.status).toBe("failure");
    expect(result.status).toMatchObject({
      outcome: Outcome.NON_RETRYABLE_FAILURE,
      failureCode: "SACP_GUARDRAIL",
    });
    expect(guardrails).toEqual([{ name: "no-promises", effect: "fail" }]);
  });

  test("a rule that cannot be told for this answer is not broken by it", () => {
    const rule: Guardrail = { name: "score", when: "response.data.score < 0.1", effect: "fail" };
    expect(settled(report(Outcome.SUCCESS, { response: said("success") }), asks, [rule]).guardrails).toEqual(
      [],
    );
  });
});

describe("SACP-51 a success whose data does not meet the stage's schema is tried again, and told why", () => {
  const schema = {
    type: "object",
    required: ["emails"],
    properties: { emails: { type: "array", items: { type: "string" } } },
  };
  const strict = create(StageConfigSchema, { responseFormat: "json_standard", outputSchema: schema });

  test.each([
    [{}, "data must have required property 'emails'"],
    [{ emails: "a@b" }, "data/emails must be array"],
    [{ emails: [1] }, "data/emails/0 must be string"],
  ])("%j", (data, why) => {
    const { result } = settled(report(Outcome.SUCCESS, { response: said("success", { data }) }), strict);
    expect(result.status).toMatchObject({
      outcome: Outcome.RETRYABLE_FAILURE,
      failureCode: "SACP_SCHEMA",
      failureReason: `The answer does not meet the stage's schema: ${why}`,
    });
  });

  test("and not where it does, or where the answer is no success", () => {
    const fits = report(Outcome.SUCCESS, { response: said("success", { data: { emails: ["a@b"] } }) });
    expect(settled(fits, strict).result).toBe(fits);
    const asking = settled(report(Outcome.PARTIAL, { response: said("clarification_needed") }), strict);
    expect(asking.result.status?.outcome).toBe(Outcome.PARTIAL);
  });
});
