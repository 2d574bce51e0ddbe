import { Command, Option } from "@commander-js/extra-typings";
import { type DocumentKind, kinds } from "../documents/kinds.ts";
import type { World } from "../world.ts";
import { examples, wholeNumber, withConnection, withPage } from "./options.ts";

const about: Readonly<Record<DocumentKind, string>> = {
  "routing-policy": "who may do what: check, compare, push and pull routing policies",
  "pipeline-templates": "stages and edges: check, compare, push and pull pipeline templates",
};

/** `policy` and `template`: two documents with one life, and so the same words. */
export function documentCommand(world: World, kind: DocumentKind) {
  const { command: name, noun, file: example } = kinds[kind];
  const command = new Command(name).description(about[kind]);

  command.addCommand(
    withConnection(new Command("check"))
      .description(`say what is wrong with the ${noun} in a file, by line and column; needs no server`)
      .argument("<file>", "YAML or JSON; - reads what is piped in")
      .option("--online", "ask the server as well: it knows the packs that are registered")
      .action(async (file, options) => {
        const { checkFile } = await import("../documents/check.ts");
        await checkFile(world, kind, file, options);
      })
      .addHelpText(
        "after",
        examples([`signalbox ${name} check ${example}`, "exit code 1 where it has faults"]),
      ),
  );
  command.addCommand(
    withConnection(new Command("diff"))
      .description("show what a file would change: its lines, and what they mean")
      .argument("<file>", "YAML or JSON; - reads what is piped in")
      .argument("[version]", "the version to compare with", "active")
      .option("--exit-code", "end with 1 where they differ")
      .action(async (file, version, options) => {
        const { diffFile } = await import("../documents/diff.ts");
        await diffFile(world, kind, { file, version }, options);
      }),
  );
  command.addCommand(
    withConnection(new Command("push"))
      .description("keep a file as a draft, and publish it where that is asked")
      .argument("<file>", "YAML or JSON; - reads what is piped in")
      .option("--publish", "make it the active version")
      .option("--dry-run", "show what would happen, and do nothing")
      .option("--note <text>", "why; it goes on record")
      .addOption(
        new Option("--edit <number>", "change the draft only where it is still at this edit").argParser(
          wholeNumber(1, 999_999_999),
        ),
      )
      .action(async (file, options) => {
        const { pushFile } = await import("../documents/push.ts");
        await pushFile(world, kind, file, options);
      })
      .addHelpText(
        "after",
        examples(
          [`signalbox ${name} push ${example} --dry-run`, "what would change"],
          [
            `signalbox ${name} push ${example} --publish --note "…"`,
            "refused where somebody published meanwhile",
          ],
        ),
      ),
  );
  command.addCommand(
    withConnection(new Command("pull"))
      .description("give the exact text of a version")
      .argument("[version]", "a version, or the active one", "active")
      .option("-o, --output <file>", "write it to a file")
      .option("--force", "write over a file that holds another text")
      .action(async (version, options) => {
        const { pullVersion } = await import("../documents/pull.ts");
        await pullVersion(world, kind, version, options);
      })
      .addHelpText(
        "after",
        examples([`signalbox ${name} pull -o ${example}`, "the active version, to the letter"]),
      ),
  );
  command.addCommand(
    withPage(withConnection(new Command("list")))
      .description("list versions, the newest first")
      .action(async (options) => {
        const { listVersions } = await import("../documents/list.ts");
        await listVersions(world, kind, options);
      }),
  );
  return command;
}
