import { pathOf } from "../connection/client.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { CommandFailure } from "../failure.ts";
import { commanded } from "../pipelines/answers.ts";
import type { World } from "../world.ts";

export type Answer = {
  readonly option: string;
  readonly comment: string;
  readonly instructions?: string | undefined;
  readonly stageId?: string | undefined;
  readonly answer?: string | undefined;
  readonly extendBy?: string | undefined;
};

/** Sends the answer; who may answer the server decides, and says in its own words. */
export async function resolveEscalation(
  world: World,
  escalationId: string,
  answer: Answer,
  options: CommonOptions,
): Promise<void> {
  const { client, printer } = await visit(world, options);
  const path = `${pathOf`/v1/escalations/${escalationId}`}/resolve`;
  try {
    const { pipelineId, revision } = await client.read(commanded, "POST", path, {
      body: JSON.stringify(answer),
    });
    if (printer.json)
      return await printer.value({ escalationId, pipelineId, revision, option: answer.option });
    await printer.lines(`${printer.paint("good", "✓")} ${escalationId} is answered with ${answer.option}.`);
  } catch (error) {
    throw error instanceof CommandFailure ? explained(error, client.url) : error;
  }
}

function explained(refusal: CommandFailure, url: URL): CommandFailure {
  const { ending, message, problem } = refusal;
  if (problem?.code !== "FORBIDDEN" || !message.includes("person")) return refusal;
  return new CommandFailure(ending, message, {
    problem,
    hints: [
      "A key is nobody in particular: with one, somebody could pass under another name what they submitted.",
      `Whoever has the role approver or admin signs in at ${url.origin} as themselves and answers; README.md says how.`,
    ],
  });
}
