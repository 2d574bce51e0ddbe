import { readFileSync } from "node:fs";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { AgentResponseSchema } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { guardAnswer } from "../sacp/guardrails.ts";
import { readPublishedDocument } from "./document-kinds.ts";
import { parsePipelineTemplates } from "./pipeline-templates.ts";
import { parseRoutingPolicy, printRoutingPolicy } from "./routing-policy.ts";

const example = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../../../examples/sacp", name), "utf8");
const policy = example("routing-policy.yaml");
const told = (text: string) => {
  const parsed = parseRoutingPolicy(text);
  return parsed.kind === "refused" ? parsed.faults.map(({ line, path, rule }) => [line, path, rule]) : [];
};

test("SACP-44 a policy's guardrails are read, and printed as they were read (DOC-5)", () => {
  const parsed = parseRoutingPolicy(policy);
  if (parsed.kind === "refused") throw new Error(JSON.stringify(parsed.faults));
  expect(parsed.document.guardrails).toMatchObject([
    { name: "withhold-failures-with-secrets", effect: "redact_message" },
    { name: "no-passwords", effect: "fail" },
  ]);
  expect(parseRoutingPolicy(printRoutingPolicy(parsed.document))).toEqual(parsed);
});

test("SACP-44 a guardrail that could not be carried out is refused by its line", () => {
  expect(told(policy.replace("sensitive.data", "sensitive.dat"))).toEqual([
    [21, "answer_policy.guardrails[0].when", "expression"],
  ]);
  expect(told(policy.replace("effect: fail", "effect: block"))).toHaveLength(1);
  expect(told(policy.replace("no-passwords", "withhold-failures-with-secrets"))).toEqual([
    [23, "answer_policy.guardrails[1].name", "duplicate"],
  ]);
  expect(told(policy.replace('response.message.contains("password")', "response.message"))).toHaveLength(1);
});

test("SACP-44 a guardrail that compares the status with what it never is, is refused with what was meant", () => {
  const refused = parseRoutingPolicy(policy.replace('status == "failure"', 'status == "failur"'));
  expect(refused).toMatchObject({
    kind: "refused",
    faults: [
      {
        line: 21,
        path: "answer_policy.guardrails[0].when",
        message: expect.stringContaining(
          'response.status is never "failur". Did you mean failure? Allowed: success, completed, failure, clarification_needed',
        ),
      },
    ],
  });
  expect(told(policy.replace('status == "failure"', 'status in ["failure", "completed"]'))).toEqual([]);
  expect(told(policy.replace('status == "failure"', 'status != "failed"'))).toHaveLength(1);
});

test("SACP-44 DOC-30 one that was published with such a word stays readable, and does what it did", () => {
  const text = policy.replace('status == "failure" && sensitive.data', 'status != "failed"');
  const published = readPublishedDocument("routing-policy", text);
  if (published.kind === "refused") throw new Error(JSON.stringify(published.faults));
  const answer = create(AgentResponseSchema, { status: "success", data: {}, message: "m" });
  const { guardrails = [] } = published.document;
  expect(guardAnswer(answer, guardrails, { data: false, message: false }).applied).toHaveLength(1);
  const misspelt = policy.replace("sensitive.data", "sensitive.dat");
  expect(readPublishedDocument("routing-policy", misspelt).kind).toBe("refused");
});

const templates = example("pipeline-templates.yaml");
const faults = (text: string) => {
  const parsed = parsePipelineTemplates(text);
  return parsed.kind === "refused"
    ? parsed.faults.map(({ line, rule, path }) => [line, rule, path.split("output_schema")[1]])
    : [];
};

test("SACP-50 a stage's schema that is none, or that no answer is asked for, is refused by its line", () => {
  expect(faults(templates)).toEqual([]);
  expect(faults(templates.replace("type: object", "type: objekt"))).toEqual([[14, "expression", ".type"]]);
  expect(faults(templates.replace("minItems: 1", "uniqueItems: true"))).toEqual([
    [19, "expression", ".properties.guesses.uniqueItems"],
  ]);
  expect(
    faults(templates.replace("response_format: json_standard\n          output", "output")),
  ).toMatchObject([[13, "expression", ""]]);
});

test("SACP-52 DOC-30 a stage's schema that no answer can meet is refused by its line, and one that was published stays readable", () => {
  const unmeetable = templates.replace("minItems: 1", "minItems: 3, maxItems: 2");
  const parsed = parsePipelineTemplates(unmeetable);
  if (parsed.kind === "valid") throw new Error("it was taken");
  expect(parsed.faults).toEqual([
    {
      line: 19,
      column: expect.any(Number),
      path: "pipeline_templates.templates[0].stages[0].output_schema.properties.guesses.minItems",
      rule: "expression",
      message: 'is 3, and "maxItems" is 2',
    },
  ]);
  const published = readPublishedDocument("pipeline-templates", unmeetable);
  expect(published.kind).toBe("valid");
  const costly = templates.replace("minItems: 1", "uniqueItems: true");
  expect(readPublishedDocument("pipeline-templates", costly).kind).toBe("refused");
});
