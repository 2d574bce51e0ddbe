import { Command } from "@commander-js/extra-typings";
import type { World } from "../world.ts";
import { examples, withConnection, withTask, withTaskTerms } from "./options.ts";

export function taskCommand(world: World) {
  const command = new Command("task").description("ask for work");
  command.addCommand(
    withTaskTerms(withTask(withConnection(new Command("submit"))))
      .description("submit a task, from a file or from flags, and follow it where that is asked")
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
