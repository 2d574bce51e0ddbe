import { Command, Option } from "@commander-js/extra-typings";
import type { Role } from "@signalbox/core";
import type { World } from "../world.ts";
import { collected, examples, wholeNumber, withConnection, withPage } from "./options.ts";

const roles = [
  "viewer",
  "operator",
  "approver",
  "auditor",
  "admin",
  "agent",
] as const satisfies readonly Role[];

export function keyCommand(world: World) {
  const command = new Command("key").description("programs' credentials");
  command.addCommand(
    withConnection(new Command("create"))
      .description("make a key; its secret is shown once")
      .argument("<label>", "what it is for")
      .addOption(new Option("--role <role>", "what it may do").choices(roles).makeOptionMandatory())
      .addOption(
        new Option(
          "--pack <id>",
          "an agent's: the pack that it speaks for; give it again for each",
        ).argParser(collected),
      )
      .addOption(
        new Option("--expires-in-days <days>", "when it ends by itself").argParser(wholeNumber(1, 3_650)),
      )
      .option("-o, --output <file>", "keep it in a new file that only you may read, as --key-file takes it")
      .action(async (label, options) => {
        const { createKey } = await import("../keys/create-key.ts");
        await createKey(world, label, options);
      })
      .addHelpText(
        "after",
        examples(
          [
            "signalbox key create ci --role operator --expires-in-days 90 -o ci.key",
            "for a pipeline of your CI",
          ],
          ["signalbox key create qa --role agent --pack qa-engineer", "for an agent"],
        ),
      ),
  );
  command.addCommand(
    withPage(withConnection(new Command("list")))
      .description("list keys, without their secrets")
      .action(async (options) => {
        const { listKeys } = await import("../keys/list-keys.ts");
        await listKeys(world, options);
      }),
  );
  command.addCommand(
    withConnection(new Command("revoke"))
      .description("end a key at once")
      .argument("<key>", "its id")
      .action(async (keyId, options) => {
        const { revokeKey } = await import("../keys/revoke-key.ts");
        await revokeKey(world, keyId, options);
      }),
  );
  return command;
}
