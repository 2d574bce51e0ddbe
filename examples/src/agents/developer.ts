import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve, sep } from "node:path";
import {
  type Answer,
  blockedByPolicy,
  type Dispatch,
  failed,
  failedForGood,
  needsAnswer,
  succeeded,
} from "@signalbox/agent-sdk";
import { artifactsOf } from "../artifacts.ts";
import { failuresOf, RefusedCommand, runNamedCommands, tailOf } from "../named-commands.ts";
import { branchOf, type Order, readOrder } from "../order.ts";
import { renameAnywhere, renameWhole } from "../rename.ts";
import { authorOf, type Yard } from "../yard.ts";

/** Changes files on a branch of its own, runs what the contract names, and commits what passed. */
export const developer =
  (yard: Yard, name: string) =>
  async (dispatch: Dispatch): Promise<Answer> => {
    const { envelope } = dispatch;
    const order = readOrder(envelope);
    if (order === undefined) {
      return failedForGood({
        code: "TASK_NOT_UNDERSTOOD",
        reason: 'This developer understands "Rename <name> to <name>" and "Add <name> to <file>".',
        evidence: "Nothing was changed.",
      });
    }
    if (order.kind === "rename" && order.to === undefined) return askForName(dispatch, order.from);
    const place = { ref: "main", branch: branchOf(envelope) };
    return yard.inWorktree(place, (folder) => implement({ yard, name, dispatch, folder, order }));
  };

type Job = { yard: Yard; name: string; dispatch: Dispatch; folder: string; order: Order };

function askForName({ think, turn }: Dispatch, from: string): Answer {
  think(`The task says that ${from} needs a better name and does not say which. `);
  think("A name is for those who use it, so I ask instead of guessing.");
  const question = `What is ${from} to be called?`;
  turn({ thought: "The new name is not said.", action: question, confidence: 0.2 });
  return needsAnswer({ question, data: { rename: from } });
}

async function implement({ yard, name, dispatch, folder, order }: Job): Promise<Answer> {
  const { envelope, tool, think, turn } = dispatch;
  const told = envelope.contextIn?.taskDelta ?? "";
  const careful = told.includes("TEST_SUITE_FAILED");
  const plan = planOf(order, { careful, changelog: told.includes("CHANGELOG.md") });
  if (told !== "") think(`I was told what went wrong before:\n${told}\n`);
  think(`${plan.join("; ")}.`);
  await tool("edit", { plan }, async () => {
    if (order.kind === "add") addSnippets(folder, envelope.contextIn?.criticalSnippets ?? []);
    else rename(folder, order.from, order.to ?? "", careful);
    if (told.includes("CHANGELOG.md"))
      appendFileSync(join(folder, "CHANGELOG.md"), `- ${envelope.contract?.title}.\n`);
  });
  turn({
    thought: plan.join("; "),
    action: "Change the files, then run lint and tests.",
    confidence: careful ? 0.9 : 0.7,
  });

  const evidence = await runNamedCommands(dispatch, folder).catch(orRefusal);
  if (evidence instanceof RefusedCommand) {
    return blockedByPolicy({
      code: "COMMAND_NOT_ALLOWED",
      reason: evidence.message,
      evidence: "Nothing was run.",
    });
  }
  const [failure] = failuresOf(evidence);
  turn({
    thought:
      failure === undefined ? "All that the contract names passed." : "Something broke; it is not committed.",
    action: failure === undefined ? "Commit." : "Report what failed.",
    observation: evidence.map((item) => tailOf(item, 8)).join("\n"),
    confidence: failure === undefined ? 0.95 : 0.3,
  });
  if (failure !== undefined) return failed({ code: "TEST_SUITE_FAILED", reason: tailOf(failure), evidence });
  return commit({ yard, name, dispatch, folder, order }, evidence);
}

const orRefusal = (thrown: unknown): RefusedCommand => {
  if (thrown instanceof RefusedCommand) return thrown;
  throw thrown;
};

function planOf(order: Order, { careful, changelog }: { careful: boolean; changelog: boolean }): string[] {
  const change =
    order.kind === "add"
      ? `Add ${order.name} as the task's snippets have it`
      : `Replace ${order.from} by ${order.to}${careful ? ", as a name of its own only" : " wherever it stands"}`;
  return changelog ? [change, "say so in CHANGELOG.md"] : [change];
}

function rename(folder: string, from: string, to: string, careful: boolean): void {
  for (const file of ["src", "test"].flatMap((part) =>
    readdirSync(join(folder, part)).map((one) => join(folder, part, one)),
  )) {
    const text = readFileSync(file, "utf8");
    writeFileSync(file, (careful ? renameWhole : renameAnywhere)(text, from, to));
  }
}

/** What a task names must not lead out of the folder, nor into git's own. */
function addSnippets(
  folder: string,
  snippets: readonly { readonly path: string; readonly content: string }[],
): void {
  for (const { path, content } of snippets) {
    const file = resolve(folder, path);
    if (!file.startsWith(folder + sep) || path.split(/[\\/]/).includes(".git") || !existsSync(dirname(file)))
      throw new Error(`"${path}" is not a place in this repository`);
    if (existsSync(file)) appendFileSync(file, `\n${content}`);
    else writeFileSync(file, content);
  }
}

type Evidence = Awaited<ReturnType<typeof runNamedCommands>>;

async function commit({ name, yard, dispatch, folder }: Job, evidence: Evidence): Promise<Answer> {
  const { envelope, tool } = dispatch;
  const title = envelope.contract?.title ?? "";
  const hash = await tool("git", { command: "commit" }, async () => {
    await yard.git("-C", folder, "add", "--all");
    await yard.git("-C", folder, ...authorOf(name), "commit", "--quiet", `--message=${title}`);
    return yard.git("-C", folder, "rev-parse", "HEAD");
  });
  dispatch.commit(hash);
  const { artifacts, linesChanged } = await artifactsOf(yard, folder, "main..HEAD");
  return succeeded({
    summary: `${title}: ${artifacts.length} files, ${linesChanged} lines, commit ${hash.slice(0, 12)}.`,
    evidence,
    artifacts,
    linesChanged,
    contextOut: {
      decisionsMade: [
        {
          decisionId: `commit-${hash.slice(0, 12)}`,
          description: `Commit ${hash} on branch ${branchOf(envelope)}`,
          rationale: "Lint and tests passed on it",
          sourceTask: envelope.contract?.taskId ?? "",
        },
      ],
      rollbackNotes: `git revert ${hash.slice(0, 12)}`,
    },
    response: { thought: "", status: "success", data: { git_hash: hash }, message: title },
  });
}
