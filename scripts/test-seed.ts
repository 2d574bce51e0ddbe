/** The seed of all chances of a run of the tests: the same source gives the same run, so a verdict comes again. */
import { execFileSync } from "node:child_process";

/** Outside a git repository undefined: then every test takes a seed of its own and says it. */
export function seedOfSource(root: string): string | undefined {
  try {
    const tree = execFileSync("git", ["rev-parse", "--verify", "HEAD^{tree}"], {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return String(Number.parseInt(tree.slice(0, 7), 16));
  } catch {
    return undefined;
  }
}
