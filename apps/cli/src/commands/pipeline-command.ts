import { Command, Option } from "@commander-js/extra-typings";
import { pipelineStatuses } from "../pipelines/status.ts";
import type { World } from "../world.ts";
import { withConnection, withPage } from "./options.ts";

const simple = {
  pause: "stop sending; the deadline's clock stands still until it is resumed",
  resume: "go on with a paused pipeline",
  abort: "end it for good; what is at work is told to stop",
} as const;

export function pipelineCommand(world: World) {
  const command = new Command("pipelines").description("see and steer pipelines");
  command.addCommand(
    withPage(withConnection(new Command("list")))
      .description("list pipelines, the newest first")
      .addOption(new Option("--status <status>", "only those").choices(pipelineStatuses))
      .action(async (options) => {
        const { listPipelines } = await import("../pipelines/list-pipelines.ts");
        await listPipelines(world, options);
      }),
  );
  command.addCommand(
    withConnection(new Command("show"))
      .description("show a pipeline: its stages, and what it waits for")
      .argument("<pipeline>", "its id")
      .action(async (pipelineId, options) => {
        const { showPipeline } = await import("../pipelines/show-pipeline.ts");
        await showPipeline(world, pipelineId, options);
      }),
  );
  command.addCommand(
    withConnection(new Command("follow"))
      .description("tell what happens until it ends; the exit code says how it ended")
      .argument("<pipeline>", "its id")
      .option("--stop-at-question", "end with 5 when a person has to answer")
      .action(async (pipelineId, options) => {
        const { followCommand } = await import("../tasks/follow.ts");
        await followCommand(world, pipelineId, options);
      }),
  );
  for (const name of ["pause", "resume", "abort"] as const) {
    command.addCommand(
      withConnection(new Command(name))
        .description(simple[name])
        .argument("<pipeline>", "its id")
        .option("--note <text>", "why; it goes on record")
        .action(async (pipelineId, options) => {
          const { commandPipeline } = await import("../pipelines/command-pipeline.ts");
          await commandPipeline(world, pipelineId, { name, note: options.note }, options);
        }),
    );
  }
  command.addCommand(
    withConnection(new Command("rewind"))
      .description("have a stage, and all that depends on it, done again")
      .argument("<pipeline>", "its id")
      .argument("<stage>", "the stage to begin at")
      .option("--instructions <text>", "what the next attempt must know")
      .action(async (pipelineId, stageId, options) => {
        const { commandPipeline } = await import("../pipelines/command-pipeline.ts");
        const { instructions } = options;
        await commandPipeline(world, pipelineId, { name: "rewind", stageId, instructions }, options);
      }),
  );
  return command;
}
