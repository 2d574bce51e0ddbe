import { Command, Option } from "@commander-js/extra-typings";
import { priorities, riskTiers } from "../tasks/task-words.ts";
import type { World } from "../world.ts";
import { collected, examples, wholeNumber, withConnection } from "./options.ts";

export function taskCommand(world: World) {
  const command = new Command("task").description("ask for work");
  command.addCommand(
    withConnection(new Command("submit"))
      .description("submit a task, from a file or from flags, and follow it where that is asked")
      .argument("[file]", "a task in JSON or YAML; - reads what is piped in")
      .option("--template <id>", "the template whose stages do the work")
      .option("--task-type <type>", "instead of a template: one stage of this type")
      .option("--id <id>", "the task as you know it; made of the title where it is left out")
      .option("--title <text>", "one line that a person recognises it by")
      .addOption(
        new Option(
          "--criterion <text>",
          "what must hold for it to be accepted; give it again for each",
        ).argParser(collected),
      )
      .addOption(new Option("--risk <tier>", "how much is at stake").choices(riskTiers))
      .addOption(new Option("--priority <priority>", "what the agents are told").choices(priorities))
      .addOption(
        new Option("--timeout <seconds>", "how long one attempt may take").argParser(
          wholeNumber(1, 31_536_000),
        ),
      )
      .option("-f, --follow", "tell what happens until it ends; the exit code says how it ended")
      .option("--stop-at-question", "with --follow: end with 5 when a person has to answer")
      .option("--idempotency-key <key>", "the same key again gives the first answer instead of a second task")
      .action(async (file, options) => {
        const { submitTask } = await import("../tasks/submit.ts");
        await submitTask(world, file, options);
      })
      .addHelpText(
        "after",
        examples(
          ["signalbox task submit task.json --follow", "exit code 0 completed, 1 failed or aborted"],
          [
            'signalbox task submit --template implement-and-review --title "Greet by name" --criterion "greet(\\"Ada\\") says hello"',
            "prints the pipeline's id",
          ],
        ),
      ),
  );
  return command;
}
