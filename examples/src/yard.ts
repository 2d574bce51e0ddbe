import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type CommandRun, runCommand } from "./run-command.ts";

const template = join(import.meta.dirname, "../yard");

/** A scratch repository, and what the agents do in it. */
export type Yard = {
  readonly repository: string;
  git(...words: readonly string[]): Promise<string>;
  /** A folder with `ref` checked out, gone when `work` is over; on `branch`, where one is named, and else on none. */
  inWorktree<T>(place: { ref: string; branch?: string }, work: (folder: string) => Promise<T>): Promise<T>;
  /** A clone with nothing in it but what was committed. */
  inClone<T>(ref: string, work: (folder: string) => Promise<T>): Promise<T>;
  hasBranch(branch: string): Promise<boolean>;
};

/** Whoever lacks git is told before anything is begun. */
export async function requireGit(): Promise<void> {
  const found = await runCommand(["git", "--version"], { cwd: "/" }).catch(() => undefined);
  if (found?.exitCode === 0) return;
  throw new Error(
    "The demonstration's agents work in a git repository, and there is no git here. Install git and start again.",
  );
}

const gitIn = async (folder: string, words: readonly string[]): Promise<string> =>
  passed(await runCommand(["git", ...words], { cwd: folder }));

/** The repository in `folder`, made from the template where there is none. */
export async function openYard(folder: string): Promise<Yard> {
  const repository = join(folder, "repository");
  const scratch = join(folder, "work");
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  if (!existsSync(join(repository, ".git"))) {
    cpSync(template, repository, { recursive: true });
    await gitIn(repository, ["init", "--quiet", "--initial-branch=main"]);
    await gitIn(repository, ["add", "--all"]);
    await gitIn(repository, [
      ...authorOf("demonstration"),
      "commit",
      "--quiet",
      "--message=The yard as it was found",
    ]);
  }
  await gitIn(repository, ["worktree", "prune"]);

  // git locks the list of worktrees, and whoever comes second is refused rather than made to wait.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (words: readonly string[]) => {
    const next = last.then(() => gitIn(repository, words));
    last = next.catch(() => undefined);
    return next;
  };
  const newFolder = () => mkdtempSync(join(scratch, "task-"));
  return {
    repository,
    git: (...words) => gitIn(repository, words),
    inWorktree: async ({ ref, branch }, work) => {
      const tree = join(newFolder(), "tree");
      const on = branch === undefined ? ["--detach"] : ["--force", "-B", branch];
      await inTurn(["worktree", "add", "--quiet", ...on, tree, ref]);
      try {
        return await work(tree);
      } finally {
        await inTurn(["worktree", "remove", "--force", tree]);
        rmSync(join(tree, ".."), { recursive: true, force: true });
      }
    },
    inClone: async (ref, work) => {
      const clone = newFolder();
      try {
        await gitIn(scratch, ["clone", "--quiet", "--branch", ref, "--single-branch", repository, clone]);
        return await work(clone);
      } finally {
        rmSync(clone, { recursive: true, force: true });
      }
    },
    hasBranch: async (branch) => (await gitIn(repository, ["branch", "--list", branch])) !== "",
  };
}

export const authorOf = (name: string): string[] => [
  "-c",
  `user.name=${name}`,
  "-c",
  `user.email=${name}@demonstration.invalid`,
];

function passed({ command, output, exitCode }: CommandRun): string {
  if (exitCode === 0) return output.trim();
  throw new Error(`${command} ended with ${exitCode}: ${output.trim()}`);
}
