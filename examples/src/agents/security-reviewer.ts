import {
  type Answer,
  type Dispatch,
  evidenceFrom,
  EvidenceType,
  failedForGood,
  sentBack,
  succeeded,
} from "@signalbox/agent-sdk";
import { runNamedCommands } from "../named-commands.ts";
import { branchOf } from "../order.ts";
import { runCommand } from "../run-command.ts";
import type { Yard } from "../yard.ts";

/** What a small library of numbers and text has no business with. */
const suspicious: readonly [RegExp, string][] = [
  [/\beval\s*\(|new Function\s*\(/, "runs text as code"],
  [/child_process|node:(fs|net|http|https|vm|worker_threads)\b/, "reaches out of the library"],
  [/\bfetch\s*\(|XMLHttpRequest|WebSocket/, "talks to the network"],
  [/process\.env/, "reads the environment"],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----|(?:password|secret|token)\s*[:=]\s*["']/i, "holds a secret"],
];

/** Reads each line that the branch adds. */
export const securityReviewer =
  (yard: Yard) =>
  async (dispatch: Dispatch): Promise<Answer> => {
    const branch = branchOf(dispatch.envelope);
    if (!(await yard.hasBranch(branch))) {
      const reason = `There is no branch ${branch} in the yard.`;
      return failedForGood({ code: "NOTHING_TO_REVIEW", reason, evidence: "Nothing was read." });
    }
    return yard.inWorktree({ ref: branch }, async (folder) => {
      const { tool, turn, signal } = dispatch;
      const command = "git diff --unified=0 main..HEAD";
      const diff = await tool("git", { command }, () =>
        runCommand(command.split(" "), { cwd: folder, signal }),
      );
      const added = diff.output.split("\n").filter((line) => /^\+(?!\+\+)/.test(line));
      const found = added.flatMap((line) =>
        suspicious
          .filter(([pattern]) => pattern.test(line))
          .map(([, what]) => `${what}: ${line.slice(1).trim()}`),
      );
      const output = [`${added.length} added lines were read, ${found.length} findings`, ...found].join("\n");
      turn({
        thought:
          found.length === 0 ? "Nothing that was added reaches beyond numbers and text." : found.join("\n"),
        action: found.length === 0 ? "Let it pass to a person, as its tier asks." : "Send it back.",
        observation: output,
        confidence: 0.9,
      });
      const scan = evidenceFrom({
        type: EvidenceType.SECURITY,
        command,
        output,
        exitCode: found.length === 0 ? 0 : 1,
      });
      const evidence = [scan, ...(await runNamedCommands(dispatch, folder))];
      if (found.length > 0)
        return sentBack({ stageId: "implement", code: "SECURITY_FINDING", reason: output, evidence });
      return succeeded({ summary: output, evidence });
    });
  };
