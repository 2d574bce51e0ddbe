import { Command } from "@commander-js/extra-typings";
import type { World } from "../world.ts";
import { examples, withTask, withTaskTerms } from "./options.ts";

export const devCommand = (world: World) =>
  withTaskTerms(withTask(new Command("dev")))
    .description(
      "run a task on this machine: packs from a folder, a program an agent, one at a time; needs no server",
    )
    .option("--packs <folder>", "packs and their programs", "packs")
    .option("--config <folder>", "routing-policy.yaml and pipeline-templates.yaml", "config")
    .option("--policy <file>", "another routing policy")
    .option("--templates <file>", "other templates")
    .option("--agent <command>", 'the program of packs that name none, such as "claude -p"')
    .option("--audit <folder>", "where the record goes, a file a pipeline", "docs/audit")
    .option("--traces <folder>", "where traces go, a file a pipeline", ".signalbox/traces")
    .option("--data <folder>", "where the session's database is", ".signalbox/dev")
    .option("--check", "read packs, policy and templates, say what is wrong, and run nothing")
    .option("--verbose", "show what programs write to their standard error")
    .option("--json", "one JSON value a line")
    .action(async (file, options) => {
      const { runDev } = await import("../dev/dev.ts");
      await runDev(world, file, options);
    })
    .addHelpText(
      "after",
      examples(
        ["signalbox dev --check", "is everything there?"],
        [
          "signalbox dev task.json",
          "exit code 0 completed, 1 failed or aborted, 5 where a person has to answer and none is there",
        ],
        [
          'signalbox dev --agent "claude -p" --template implement-and-review --title "…" --criterion "…"',
          "any command: a prompt on its input, its answer on its output",
        ],
      ),
    );
