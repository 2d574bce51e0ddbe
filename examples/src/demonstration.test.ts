import type { Dispatch, TaskEnvelope } from "@signalbox/agent-sdk";
import { expect, test } from "vitest";
import { workIn } from "./demonstration.ts";
import { readPacks } from "./files.ts";
import type { Yard } from "./yard.ts";

const emptyYard = { hasBranch: () => Promise.resolve(false) } as unknown as Yard;

/** A task that no developer understands, in a yard that has nothing to be reviewed: who has it says so. */
function codeOf(packId: string, taskType: string): Promise<unknown> {
  const envelope = { execution: { idempotencyKey: "pipeline/stage" } } as TaskEnvelope;
  const answer = workIn(emptyYard)[packId]?.work({ taskType, envelope } as Dispatch);
  return Promise.resolve(answer).then((given) => /[A-Z]+(_[A-Z]+){2}/.exec(JSON.stringify(given))?.[0]);
}

const codes: Readonly<Record<string, string>> = {
  "feature-implementation": "TASK_NOT_UNDERSTOOD",
  "code-review": "NOTHING_TO_REVIEW",
  "security-review": "NOTHING_TO_REVIEW",
};

test.each(
  readPacks().flatMap(({ packId, supportedTaskTypes }) =>
    supportedTaskTypes.filter((type) => type in codes).map((type) => [packId, type] as const),
  ),
)("%s does %s, as its manifest says", async (packId, taskType) => {
  expect(await codeOf(packId, taskType)).toBe(codes[taskType]);
});
