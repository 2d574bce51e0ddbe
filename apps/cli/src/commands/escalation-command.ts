import { Argument, Command } from "@commander-js/extra-typings";
import { answerOptions } from "../escalations/answer-options.ts";
import type { World } from "../world.ts";
import { examples, withConnection, withPage } from "./options.ts";

export function escalationCommand(world: World) {
  const command = new Command("escalations").description("questions to a person");
  command.addCommand(
    withPage(withConnection(new Command("list")))
      .description("list the open questions")
      .option("--all", "those that were answered too")
      .action(async (options) => {
        const { listEscalations } = await import("../escalations/list-escalations.ts");
        await listEscalations(world, options);
      }),
  );
  command.addCommand(
    withConnection(new Command("show"))
      .description("show a question, and how it ended")
      .argument("<escalation>", "its id")
      .action(async (escalationId, options) => {
        const { showEscalation } = await import("../escalations/show-escalation.ts");
        await showEscalation(world, escalationId, options);
      }),
  );
  command.addCommand(
    withConnection(new Command("resolve"))
      .description(
        "answer a question; the server takes that from a signed-in person only, and never from a key",
      )
      .argument("<escalation>", "its id")
      .addArgument(new Argument("<option>", "one of the options that it offers").choices(answerOptions))
      .requiredOption("--comment <text>", "why; it goes on record")
      .option("--instructions <text>", "with retry and rewind: what the next attempt must know")
      .option("--stage <stage>", "with rewind: the stage to begin at")
      .option("--answer <text>", "with answer: the answer")
      .option("--extend-by <duration>", 'with extend: how much longer, such as "30m"')
      .action(async (escalationId, option, options) => {
        const { resolveEscalation } = await import("../escalations/resolve-escalation.ts");
        const { comment, instructions, stage: stageId, answer, extendBy } = options;
        await resolveEscalation(
          world,
          escalationId,
          { option, comment, instructions, stageId, answer, extendBy },
          options,
        );
      })
      .addHelpText(
        "after",
        examples([
          'signalbox escalations resolve ID retry --comment "The dictionary is there now"',
          "the stage is tried again",
        ]),
      ),
  );
  return command;
}
