import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@bufbuild/protobuf";
import { Outcome } from "@signalbox/contracts";
import { readAnswer, withProtocol } from "@signalbox/contracts/sacp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { factsOf } from "../testing/audit.ts";
import { policyText, template } from "../testing/documents.ts";
import { type HandWorkedAgent, workByHand } from "../testing/hand-worked-agent.ts";
import {
  answer,
  questionOf,
  standingOf,
  stateOf,
  submitTemplate,
  submitType,
  waitForStatus,
} from "../testing/pipelines.ts";
import { prepare } from "../testing/prepare.ts";
import {
  openTestEngine,
  packOf,
  publishPolicy,
  publishTemplates,
  registerPacks,
  type TestEngine,
} from "../testing/test-engine.ts";

let opened: TestEngine;
let agent: HandWorkedAgent;
beforeEach(async () => {
  opened = await openTestEngine();
  agent = workByHand(opened.engine, "builder");
});
afterEach(() => opened.end());

const asks = { response_format: "json_standard" };
const routes = { build: ["builder"], check: ["builder"], ship: ["builder"] };
const said = (status: string, data: JsonObject = {}, message = "Done") => ({
  outcome: Outcome.UNSPECIFIED,
  response: { thought: `I weighed ${message}`, status, data, message, nextStepHint: "" },
});
/** What a model wrote, reported as it is by an agent that reads nothing itself. */
const wrote = (text: string) => ({ outcome: Outcome.UNSPECIFIED, summary: text });

const forked = (extra: object = {}) =>
  template("forked", [
    {
      id: "a",
      taskType: "build",
      extra: {
        ...asks,
        ...extra,
        edges: [
          { target_stage_id: "b" },
          { target_stage_id: "mend", condition: 'response.status == "failure"' },
        ],
      },
    },
    {
      id: "b",
      taskType: "check",
      extra: { inputs: { names: "{{a.data.names}}", note: "From {{a.message}}" } },
    },
    { id: "mend", taskType: "ship", extra: { inputs: { why: "{{a.message}}" } } },
  ]);

async function start(templates: readonly object[], policy = policyText(routes)): Promise<string> {
  await prepare(opened.engine, { templates, policy });
  await agent.beat();
  const { template_id: id } = templates[0] as { template_id: string };
  return submitTemplate(opened.engine, id);
}

test("SACP-21 SACP-31 the answer says where it goes on, and what the next stage is given", async () => {
  const pipelineId = await start([forked()]);
  const first = await agent.work("a", said("success", { names: ["Ann", "Ben"] }, "two names"));
  expect(first.responseFormat).toBe("json_standard");
  expect(await standingOf(opened.engine, pipelineId)).toEqual({
    pipeline: "RUNNING",
    a: "COMPLETED",
    b: "DISPATCHED",
    mend: "SKIPPED",
  });
  const second = await agent.work("b");
  expect(second.inputs).toEqual({ names: ["Ann", "Ben"], note: "From two names" });
  expect(second.responseFormat).toBe("");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
});

test("SACP-25 SACP-42 a failure goes to its handler, and the pipeline completes", async () => {
  const pipelineId = await start([forked()]);
  await agent.work("a", said("failure", {}, "no such company"));
  const handler = await agent.work("mend");
  expect(handler.inputs).toEqual({ why: "no such company" });
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  expect(await standingOf(opened.engine, pipelineId)).toMatchObject({
    a: "FAILED",
    b: "SKIPPED",
    mend: "COMPLETED",
  });
});

test("SACP-33 a value that the answer lacks fails the stage that needs it, by name, and a person is asked", async () => {
  const pipelineId = await start([forked()]);
  await agent.work("a", said("success", { nobody: [] }));
  const question = await questionOf(opened.engine, pipelineId, "b");
  expect(question).toMatchObject({
    cause: "stage-failed",
    options: expect.arrayContaining(["rewind", "retry"]),
  });
  expect(question.problem).toContain("{{a.data.names}} No such key: names");
  await answer(opened.engine, question, { option: "rewind", stageId: "a", instructions: "Give the names" });
  await agent.work("a", said("success", { names: ["Ann"] }));
  expect((await agent.work("b")).inputs).toMatchObject({ names: ["Ann"] });
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
});

test("SACP-40 SACP-43 a text that is no answer is tried again and told why; one that holds an answer counts", async () => {
  const pipelineId = await start([forked()]);
  await agent.work("a", wrote("I am sorry, I cannot."));
  const second = await agent.takeOne();
  expect(second.execution?.attemptNumber).toBe(2);
  expect(second.contextIn?.taskDelta).toContain("SACP_UNPARSEABLE");
  expect(second.contextIn?.taskDelta).toContain("the output holds no JSON object");
  await agent.report(
    second,
    wrote("Here: {thought: 't', status: 'success', data: {names: ['Ann']}, message: 'One',}"),
  );
  expect((await agent.work("b")).inputs).toEqual({ names: ["Ann"], note: "From One" });
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
});

test("SACP-51 data that does not meet the stage's schema is tried again with what is wrong, within the attempts", async () => {
  const output_schema = {
    type: "object",
    required: ["names"],
    properties: { names: { type: "array", minItems: 1 } },
  };
  const pipelineId = await start([forked({ output_schema })]);
  const first = await agent.takeOne();
  expect(withProtocol("You name people.", first)).toContain('"minItems": 1');
  await agent.report(first, said("success", { names: [] }));
  const second = await agent.takeOne();
  expect(second.contextIn?.taskDelta).toContain("data/names must NOT have fewer than 1 items");
  await agent.report(second, said("success", { names: ["Ann"] }));
  await agent.work("b");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
});

test("SACP-40 SACP-51 a task type without a template is tried again once and told why, then a person is asked", async () => {
  const pack = packOf("adviser");
  if (pack.interface !== undefined) pack.interface.responseFormat = "json_standard";
  await registerPacks(opened.engine, [pack]);
  await publishPolicy(opened.engine, policyText({ build: ["adviser"] }));
  const adviser = workByHand(opened.engine, "adviser");
  await adviser.beat();
  const pipelineId = await submitType(opened.engine, "build");
  await adviser.work("task", wrote('{"thought":"t","status":"success","message":"m","data":[]}'));
  const second = await adviser.takeOne();
  expect(second.execution?.attemptNumber).toBe(2);
  expect(second.contextIn?.taskDelta).toContain('"data" is a list; it must be an object');
  await adviser.report(second, wrote("I am sorry."));
  const question = await questionOf(opened.engine, pipelineId, "task");
  expect(question).toMatchObject({ cause: "stage-failed", options: expect.arrayContaining(["retry"]) });
});

test("SACP-8 GATE-28 an agent talks back to the one before it, which is given the message as its instruction", async () => {
  const chain = template("chain", [
    { id: "a", taskType: "build", extra: asks },
    { id: "b", taskType: "check", after: ["a"], extra: asks },
  ]);
  const pipelineId = await start([chain]);
  await agent.work("a", said("success", { sources: 1 }));
  const back = { thought: "t", status: "retry_with_instruction", data: {}, message: "Give two sources." };
  await agent.work("b", wrote(JSON.stringify(back)));
  const again = await agent.work("a", said("success", { sources: 2 }));
  expect(again.contextIn?.taskDelta).toContain("Attempt 1 was sent back. What to do:\nGive two sources.");
  await agent.work("b", said("retry_with_instruction", {}, "Give three."));
  const third = await agent.work("a", said("success", { sources: 3 }));
  expect(third.contextIn?.taskDelta).toContain("Attempt 2 was sent back. What to do:\nGive three.");
  await agent.work("b", said("success"));
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
  expect((await stateOf(opened.engine, pipelineId)).rejectionsUsed).toBe(2);
});

test("SACP-46 (D12) a question is asked of a person, and the answer travels outside every budget", async () => {
  const pipelineId = await start([forked()]);
  await agent.work("a", said("clarification_needed", {}, "Which Acme: the maker or the shop?"));
  const question = await questionOf(opened.engine, pipelineId, "a");
  expect(question).toMatchObject({ cause: "clarification", recommended: "answer" });
  expect(question.problem).toBe("Which Acme: the maker or the shop?");
  await answer(opened.engine, question, { option: "answer", answer: "The maker" });
  const second = await agent.takeOne();
  expect(second.contextIn?.taskDelta).toContain(
    "Question: Which Acme: the maker or the shop?\nAnswer: The maker",
  );
  expect((await stateOf(opened.engine, pipelineId)).retriesUsed).toBe(0);
  await agent.report(second, said("success", { names: ["Ann"] }));
  await agent.work("b");
  await waitForStatus(opened.engine, pipelineId, "COMPLETED");
});

const guarded = (guardrails: object[]) =>
  JSON.stringify({ ...(JSON.parse(policyText(routes)) as object), answer_policy: { guardrails } });

describe("SACP-44 SACP-45 guardrails of the policy in force", () => {
  test("fail an answer before the next stage is given anything, and are on record", async () => {
    const rule = { name: "no-promises", when: 'response.message.contains("guarantee")', effect: "fail" };
    const pipelineId = await start([forked()], guarded([rule]));
    await agent.work("a", said("success", { names: ["Ann"] }, "I guarantee it"));
    expect(await standingOf(opened.engine, pipelineId)).toMatchObject({
      a: "FAILED",
      b: "SKIPPED",
      mend: "DISPATCHED",
    });
    const facts = await factsOf(opened.engine, { pipelineId });
    expect(facts.find(({ action }) => action === "answer.failed")?.rationale).toContain(
      'Guardrail "no-promises"',
    );
  });

  const token = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  const failure = said("failure", { token }, "the token did not work");
  const text = JSON.stringify(failure.response);
  test.each([
    ["an answer", failure],
    ["a model's text", wrote(`\`\`\`json\n${text}\n\`\`\``)],
    ["the text of an agent that failed", { ...wrote(text), outcome: Outcome.NON_RETRYABLE_FAILURE }],
  ])("withhold the message where sensitive data was masked, and keep the data: %s", async (_name, work) => {
    const rule = {
      name: "quiet",
      when: 'response.status == "failure" && sensitive.data',
      effect: "redact_message",
    };
    const pipelineId = await start([forked()], guarded([rule]));
    await agent.work("a", work);
    const { stages } = await stateOf(opened.engine, pipelineId);
    expect(stages[0]?.result?.response?.message).toBe("[withheld by guardrail quiet]");
    expect(stages[0]?.result?.response?.data).toEqual({ token: expect.stringContaining("[redacted:") });
    const facts = await factsOf(opened.engine, { pipelineId });
    expect(facts.map(({ action }) => action)).toContain("answer.redacted");
    // What the agent thought stays on record for auditors.
    expect(JSON.stringify(facts)).not.toContain('"the token did not work"');
  });
});

test("SACP-47 (SACP 9.2) every answer is on record with its thought, masked", async () => {
  const pipelineId = await start([forked()]);
  const token = ["ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");
  const answered = said("success", { names: ["Ann"] });
  await agent.work("a", {
    ...answered,
    response: { ...answered.response, thought: `I used ${token} to look` },
  });
  const facts = await factsOf(opened.engine, { pipelineId });
  const received = facts.find(({ action }) => action === "result.received");
  const text = JSON.stringify(received?.changes);
  expect(text).toMatch(/I used [^"]+ to look/);
  expect(text).not.toContain(token);
});

test("the example flow of SACP 6 runs from its template: the researcher's guesses reach the validator", async () => {
  const folder = join(import.meta.dirname, "../../../../examples/sacp");
  const { engine } = opened;
  await registerPacks(engine, [packOf("researcher"), packOf("email-validator")]);
  await publishPolicy(engine, readFileSync(join(folder, "routing-policy.yaml"), "utf8"));
  await publishTemplates(engine, readFileSync(join(folder, "pipeline-templates.yaml"), "utf8"));
  const [researcher, validator] = [workByHand(engine, "researcher"), workByHand(engine, "email-validator")];
  await researcher.beat();
  await validator.beat();
  const pipelineId = await submitTemplate(engine, "find-email");
  const output = (name: string) => readFileSync(join(folder, `outputs/${name}.txt`), "utf8");
  const first = await researcher.work("research", wrote(output("researcher")));
  expect(withProtocol("You find people.", first)).toContain("### SYSTEM PROTOCOL");
  expect(readAnswer(output("researcher")).source).toBe("json");
  const second = await validator.work("validate", wrote(output("email-validator")));
  expect(second.inputs).toEqual({
    company: "acme.com",
    guesses: ["john.doe@acme.com", "jdoe@acme.com"],
    note: "I identified the CEO as John Doe.",
  });
  await waitForStatus(engine, pipelineId, "COMPLETED");
  const { stages } = await stateOf(engine, pipelineId);
  expect(stages[1]?.result?.response?.data).toEqual({ valid_email: "jdoe@acme.com" });
});
