import { create, type JsonValue, toJson } from "@bufbuild/protobuf";
import {
  BlockerType,
  EvidenceType,
  Outcome,
  RiskTier,
  type TaskEnvelope,
  type TaskSubmission,
  TaskSubmissionSchema,
} from "@signalbox/contracts";
import { policyText, template, templatesText } from "../../testing/documents.ts";
import { resultFor } from "../../testing/results.ts";
import {
  openNode,
  packOf,
  publishPolicy,
  publishTemplates,
  registerPacks,
  seedTenant,
} from "../../testing/test-engine.ts";
import type { Random } from "./seeded-random.ts";

const PACK = "builder";
export const packId = PACK;

/** Lines, a diamond, one that fails and is tried again, one that is sent back, and one that asks people. */
export const templateIds = ["line", "diamond", "flaky", "sent-back", "asks"] as const;
export type TemplateId = (typeof templateIds)[number];

const templates = [
  template("line", [
    { id: "a", taskType: "work" },
    { id: "b", taskType: "work", after: ["a"] },
    { id: "c", taskType: "work", after: ["b"] },
  ]),
  template("diamond", [
    { id: "a", taskType: "work" },
    { id: "left", taskType: "work", after: ["a"] },
    { id: "right", taskType: "work", after: ["a"] },
    { id: "d", taskType: "work", after: ["left", "right"] },
  ]),
  template("flaky", [
    { id: "a", taskType: "flaky" },
    { id: "b", taskType: "flaky", after: ["a"] },
    { id: "c", taskType: "work", after: ["b"] },
  ]),
  template("sent-back", [
    { id: "a", taskType: "work" },
    { id: "b", taskType: "work", after: ["a"] },
    { id: "review", taskType: "review", after: ["b"] },
  ]),
  template("asks", [
    { id: "a", taskType: "work" },
    { id: "b", taskType: "partial", after: ["a"] },
    { id: "c", taskType: "work", after: ["b"] },
  ]),
];

const taskTypes = ["work", "flaky", "review", "partial"];

/** What pipelines need before the first is started. */
export async function seedWorkload(appUrl: string): Promise<void> {
  const { engine, end } = await openNode(appUrl, {
    loops: false,
    onFailure: (error) => {
      throw error;
    },
  });
  await seedTenant(engine.database, "default");
  await registerPacks(engine, [packOf(PACK)]);
  await publishPolicy(engine, policyText(Object.fromEntries(taskTypes.map((type) => [type, [PACK]]))));
  await publishTemplates(engine, templatesText(templates));
  await end();
}

export const submission = (templateId: TemplateId, taskId: string): TaskSubmission =>
  create(TaskSubmissionSchema, {
    work: { case: "templateId", value: templateId },
    contract: { taskId, title: `Do ${taskId}`, acceptanceCriteria: ["it is done"] },
    execution: { riskTier: RiskTier.LOW },
  });

export const submissionJson = (templateId: TemplateId, taskId: string): JsonValue =>
  toJson(TaskSubmissionSchema, submission(templateId, taskId));

/** Agents' work as the stage's task type has it: what fails, fails at first, so that every pipeline can end. */
export function scriptedWork(random: Random, envelope: TaskEnvelope) {
  const attempt = envelope.execution?.attemptNumber ?? 1;
  if (attempt <= 2 && random.chance(0.01)) return undefined;
  const afterMs = random.chance(0.03) ? random.between(600, 1_200) : random.between(0, 30);
  return { afterMs, result: resultOf(envelope, attempt, random) };
}

function resultOf(envelope: TaskEnvelope, attempt: number, random: Random) {
  switch (envelope.routing?.taskType ?? "") {
    case "flaky":
      return attempt <= 3 && random.chance(0.4)
        ? resultFor(envelope, { outcome: Outcome.RETRYABLE_FAILURE, summary: "it did not work this time" })
        : resultFor(envelope);
    case "review":
      return attempt <= 2 && random.chance(0.6) ? rejecting(envelope) : resultFor(envelope);
    case "partial":
      return attempt <= 2 ? resultFor(envelope, { outcome: Outcome.PARTIAL }) : resultFor(envelope);
    default:
      return resultFor(envelope);
  }
}

/** GATE-24: a check failed, and the reviewer names the stage at fault. */
const rejecting = (envelope: TaskEnvelope) =>
  resultFor(envelope, {
    evidence: {
      evidencePayload: {
        case: "items",
        value: {
          items: [
            { type: EvidenceType.TEST, command: "true", passed: true, output: "ok" },
            { type: EvidenceType.LINT, command: "false", passed: false, output: "not ok" },
          ],
        },
      },
    },
    blockers: [
      {
        description: "stage a did it wrong",
        blockerType: BlockerType.DEPENDENCY_MISSING,
        suggestedResolution: "rewind: a",
      },
    ],
  });
