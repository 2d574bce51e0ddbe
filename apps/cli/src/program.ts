import { Command } from "@commander-js/extra-typings";
import { auditCommand } from "./commands/audit-command.ts";
import { addCompletionCommand } from "./commands/completion-command.ts";
import { devCommand } from "./commands/dev-command.ts";
import { documentCommand } from "./commands/document-command.ts";
import { escalationCommand } from "./commands/escalation-command.ts";
import { keyCommand } from "./commands/key-command.ts";
import { pipelineCommand } from "./commands/pipeline-command.ts";
import { instancesCommand, packsCommand } from "./commands/registry-commands.ts";
import { taskCommand } from "./commands/task-command.ts";
import { version } from "./version.ts";
import type { World } from "./world.ts";

const footer = `
Connection:
  SIGNALBOX_URL   where the server is; http://127.0.0.1:7400 where it is not set
  SIGNALBOX_KEY   the key; or --key-file names a file that holds it. A key is never an argument: \`ps\` shows those.

Exit codes:
  0 done   1 refused or failed   2 used wrongly   3 server not reached   4 not allowed
  5 a person has to answer first   130 interrupted

docs/cli.md has all of it.
`;

/** The whole tree of commands. Each loads what it does when it is run, so that help and completion come at once. */
export function programFor(world: World) {
  const program = new Command("signalbox")
    .description("Signalbox from the command line: policies, templates, tasks, questions and the record.")
    .version(version(), "-V, --version", "say the version")
    .helpCommand("help [command]", "say how to use a command")
    .addHelpText("after", footer)
    .addCommand(taskCommand(world))
    .addCommand(pipelineCommand(world))
    .addCommand(escalationCommand(world))
    .addCommand(documentCommand(world, "routing-policy"))
    .addCommand(documentCommand(world, "pipeline-templates"))
    .addCommand(packsCommand(world))
    .addCommand(instancesCommand(world))
    .addCommand(auditCommand(world))
    .addCommand(keyCommand(world))
    .addCommand(devCommand(world));
  addCompletionCommand(program);
  return program;
}
