import { Command, Option, type OptionValues } from "@commander-js/extra-typings";
import type { World } from "../world.ts";
import { examples, wholeNumber, withConnection, withPage } from "./options.ts";

const withSubject = <Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) =>
  command
    .option("--event-type <type>", "such as pack-registered")
    .option("--pack <id>", "about this pack")
    .option("--pipeline <id>", "of this pipeline")
    .option("--trace <id>", "of this trace")
    .option("--actor <id>", "by this actor");

const withTimes = <Args extends unknown[], Opts extends OptionValues, Globals extends OptionValues>(
  command: Command<Args, Opts, Globals>,
) =>
  command
    .option("--from <moment>", "recorded then or later: 2026-01-31, 2026-01-31T12:00:00Z, or 90m ago as 90m")
    .option("--to <moment>", "recorded before then")
    .option("--words <text>", 'that say this: words, "a phrase", either OR other, -without');

export function auditCommand(world: World) {
  const command = new Command("audit").description("the record of what was decided");
  command.addCommand(
    withSubject(withConnection(new Command("tail")))
      .description("tell entries as they are recorded, until Ctrl-C")
      .addOption(
        new Option("-n, --lines <count>", "how many of the past to begin with")
          .argParser(wholeNumber(0, 100))
          .default(10),
      )
      .option("--after <cursor>", "go on where an earlier tail ended")
      .action(async (options) => {
        const { tailAudit } = await import("../audit/tail.ts");
        await tailAudit(world, options);
      }),
  );
  command.addCommand(
    withTimes(withSubject(withPage(withConnection(new Command("search")))))
      .description("find entries, the newest first")
      .action(async (options) => {
        const { searchAudit } = await import("../audit/search.ts");
        await searchAudit(world, options);
      })
      .addHelpText(
        "after",
        examples([
          "signalbox audit search --pipeline ID --from 2h",
          "what was decided in the last two hours",
        ]),
      ),
  );
  command.addCommand(
    withTimes(withSubject(withConnection(new Command("export"))))
      .description("give every entry that fits as a line of JSON, as it was recorded")
      .option("-o, --output <file>", "write them to a file; it has its name when all are there")
      .action(async (options) => {
        const { exportAudit } = await import("../audit/export.ts");
        await exportAudit(world, options);
      })
      .addHelpText(
        "after",
        examples(["signalbox audit export --from 2026-01-01 --to 2026-02-01 -o january.jsonl", "a month"]),
      ),
  );
  return command;
}
