import { randomUUID } from "node:crypto";
import { create, type JsonObject } from "@bufbuild/protobuf";
import { AgentResponseSchema, Outcome, RiskTierSchema, type TaskEnvelope } from "@signalbox/contracts";
import type { Result, Task } from "@signalbox/contracts/sap";
import type { Engine } from "../engine.ts";
import type { SapExchange } from "../sap/exchange.ts";
import { policyText, template, templatesText } from "./documents.ts";
import { failedEvidence, resultFor } from "./results.ts";
import { startAgent } from "./scripted-agent.ts";
import { askedBy, packOf, publishPolicy, publishTemplates, registerPacks } from "./test-engine.ts";

/** Who stands at a door: an operator's program, the agent "prime" with its own key, or somebody nobody knows. */
export type SapSender = "operator" | "prime" | "nobody";

/** A door of SAP V2.0 as its suite tries it. */
export type SapDoorUnderTest = {
  readonly name: string;
  /** What is behind it, for what people do meanwhile. */
  readonly engine: Engine;
  submit(from: SapSender, task: unknown): Promise<SapExchange>;
  /** Undefined where it is refused as not there. */
  result(from: SapSender, taskId: string): Promise<Result | undefined>;
};

type Context = Task["constitutionalContext"];

/** A task as the suite sends it. */
export const taskFor = (
  capability: string,
  said: Partial<Task> = {},
  context: Partial<Context> = {},
): Task => ({
  protocolVersion: "2.0",
  taskId: randomUUID(),
  correlationId: randomUUID(),
  issuedAt: "2026-11-18T10:15:23Z",
  issuer: { agentId: "prime", agentKind: "agent" },
  target: { capability },
  payload: { topic: "SAP V2" },
  outputContract: { format: "json", schema: { type: "object" } },
  ...said,
  constitutionalContext: {
    pressureLevel: "instant",
    principles: ["blueprint_thinking"],
    references: ["ubos://constitution/books"],
    ...context,
  },
});

/** What `sap_policy` says in the suite: consult is for prime too, ask for people's programs alone. */
const sap = {
  capabilities: [
    {
      capability: "consult.align",
      task_type: "consult",
      issuers: [{ agent_kind: "agent", agent_id: "prime" }, { agent_kind: "system" }],
      essence: { exclude: ["seed"] },
    },
    { capability: "build.feature", template_id: "two-steps" },
    { capability: "lost", template_id: "nowhere" },
    { capability: "doom", template_id: "doomed" },
    { capability: "mending", template_id: "mended" },
    { capability: "ask.both", template_id: "side-by-side" },
    { capability: "idle.asked", template_id: "idling" },
    { capability: "polish", template_id: "polished" },
    { capability: "handle", template_id: "handled" },
  ],
  principles: [
    { principle: "blueprint_thinking", checks: ["evidence", "tests"] },
    { principle: "strategic_pause", escalate_above: 60, refuse_above: 90 },
  ],
  playbooks: [{ capability: "consult.align", text: "Begin with the sources." }],
};

const doomed = template(
  "doomed",
  [
    {
      id: "only",
      taskType: "failing",
      extra: { response_format: "json_standard", handoff_policy: { retry: { max_attempts: 1 } } },
    },
  ],
  { failure_strategy: "FAIL_FAST" },
);

const failingStage = { inputs: { please: "fail" }, handoff_policy: { retry: { max_attempts: 1 } } };

/** Its last stage fails, and is left out. */
const polished = template(
  "polished",
  [
    { id: "draft", taskType: "ask" },
    { id: "polish", taskType: "ask", after: ["draft"], extra: { required: false, ...failingStage } },
  ],
  { failure_strategy: "SKIP_FAILED" },
);

/** Its first stage fails, and its handler answers for it (D10). */
const handled = template("handled", [
  {
    id: "work",
    taskType: "ask",
    extra: {
      ...failingStage,
      edges: [{ target_stage_id: "explain", condition: 'response.status == "failure"' }],
    },
  },
  { id: "explain", taskType: "ask", after: ["work"] },
]);

/** Its stage names no context level. */
const mended = template("mended", [
  {
    id: "only",
    taskType: "failing",
    extra: { handoff_policy: { retry: { max_attempts: 5, initial_backoff: "10ms" } } },
  },
]);

/** SACP 9.1 */
const answers = {
  guardrails: [{ name: "no-passwords", when: 'response.message.contains("password")', effect: "fail" }],
};

const routes = { consult: ["adviser", "prime"], ask: ["adviser"], failing: ["adviser"], idle: ["prime"] };

/** The suite's policy under another version, with other principles or capabilities. */
export const sapPolicyText = (
  version: string,
  principles: readonly object[] = sap.principles,
  capabilities: readonly object[] = sap.capabilities,
): string => policyText(routes, { version, sap: { ...sap, principles, capabilities }, answers });

export const suitePrinciples: readonly object[] = sap.principles;

/** An engine with a policy that knows capabilities, and an agent that does what the payload's `please` says. */
export async function sapWorld(engine: Engine) {
  const envelopes: TaskEnvelope[] = [];
  await registerPacks(engine, [packOf("adviser"), packOf("prime")]);
  await publishPolicy(engine, sapPolicyText("1.0.0"));
  const stages = [
    { id: "plan", taskType: "consult" },
    { id: "do", taskType: "ask", after: ["plan"] },
  ];
  const apart = [
    { id: "left", taskType: "ask" },
    { id: "right", taskType: "ask" },
  ];
  await publishTemplates(
    engine,
    templatesText([
      template("two-steps", stages),
      template("side-by-side", apart),
      template("idling", [{ id: "wait", taskType: "idle" }]),
      doomed,
      mended,
      polished,
      handled,
    ]),
  );
  const agent = await startAgent({
    engine: () => engine,
    asked: askedBy("agent"),
    packId: "adviser",
    instanceId: "adviser-1",
    work: (envelope) => {
      envelopes.push(envelope);
      return worked(envelope);
    },
  });
  return { envelopes, stop: () => agent.stop() };
}

function worked(envelope: TaskEnvelope) {
  const please = envelope.inputs?.["please"];
  if (please === "fail")
    return resultFor(envelope, { outcome: Outcome.NON_RETRYABLE_FAILURE, summary: "it cannot be done" });
  if (please === "forge" || (please === "falter" && envelope.execution?.attemptNumber === 1))
    return answered(envelope, done, failedEvidence);
  if (please === "half") return answered(envelope, done, { ...failedEvidence, outcome: Outcome.PARTIAL });
  if (please === "admit") return answered(envelope, { status: "failure", message: "nobody was found" });
  if (please === "babble") return resultFor(envelope, { summary: "I would rather not say it in JSON." });
  if (please === "swear")
    return answered(envelope, { status: "success", message: "the password is in the book" });
  if (please === "agree")
    return answered(envelope, { status: "success", data: { agreed: true }, message: "agreed" });
  const data = {
    echoed: envelope.inputs ?? {},
    tier: RiskTierSchema.value[envelope.execution?.riskTier ?? 0]?.localName ?? "",
  };
  return answered(envelope, { thought: "t", status: "success", data, message: "echoed" });
}

type Answer = { thought?: string; status: string; data?: JsonObject; message: string };
const done: Answer = { status: "success", message: "done" };
const answered = (envelope: TaskEnvelope, answer: Answer, said: Parameters<typeof resultFor>[1] = {}) =>
  resultFor(envelope, { ...said, response: create(AgentResponseSchema, { data: {}, ...answer }) });
