import { pathOf } from "../connection/client.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import type { World } from "../world.ts";
import { commanded } from "./answers.ts";

type Command =
  | { readonly name: "pause" | "resume" | "abort"; readonly note: string | undefined }
  | { readonly name: "rewind"; readonly stageId: string; readonly instructions: string | undefined };

const done: Readonly<Record<Command["name"], string>> = {
  pause: "is paused; its deadline's clock stands still",
  resume: "goes on",
  abort: "is aborted",
  rewind: "was rewound",
};

export async function commandPipeline(
  world: World,
  pipelineId: string,
  command: Command,
  options: CommonOptions,
): Promise<void> {
  const { client, printer } = await visit(world, options);
  const { name, ...body } = command;
  const path = `${pathOf`/v1/pipelines/${pipelineId}`}/${name}`;
  const answer = await client.read(commanded, "POST", path, { body: JSON.stringify(body) });
  if (printer.json) return printer.value(answer);
  const to = command.name === "rewind" ? ` to ${command.stageId}` : "";
  await printer.lines(`${printer.paint("good", "✓")} Pipeline ${answer.pipelineId} ${done[name]}${to}.`);
}
