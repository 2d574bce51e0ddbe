import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Answer,
  type Dispatch,
  evidenceFrom,
  type EvidenceItemInit,
  EvidenceType,
  failedForGood,
  sentBack,
  succeeded,
} from "@signalbox/agent-sdk";
import { artifactsOf, digestOf } from "../artifacts.ts";
import { failuresOf, runNamed, runNamedCommands, tailOf } from "../named-commands.ts";
import { branchOf, readOrder } from "../order.ts";
import { renameWhole } from "../rename.ts";
import type { Yard } from "../yard.ts";

/** Reads what was really committed, holds it against what was reported, and sends back what is not as it should be. */
export const reviewer =
  (yard: Yard) =>
  async (dispatch: Dispatch): Promise<Answer> => {
    const branch = branchOf(dispatch.envelope);
    if (!(await yard.hasBranch(branch))) {
      return failedForGood({
        code: "NOTHING_TO_REVIEW",
        reason: `There is no branch ${branch} in the yard.`,
        evidence: "Nothing was read.",
      });
    }
    return yard.inWorktree({ ref: branch }, (folder) => review(yard, dispatch, folder));
  };

async function review(yard: Yard, dispatch: Dispatch, folder: string): Promise<Answer> {
  const { envelope, think, turn } = dispatch;
  const { artifacts, linesChanged } = await artifactsOf(yard, folder, "main..HEAD");
  think(`The branch changes ${artifacts.map(({ path }) => path).join(", ")}: ${linesChanged} lines.`);
  const evidence: EvidenceItemInit[] = [
    await runNamed(dispatch, folder, EvidenceType.LINT, "git diff --check main..HEAD"),
    checkDigests(dispatch, folder),
    ...(await runNamedCommands(dispatch, folder)),
  ];
  const objections = [
    ...failuresOf(evidence).map((item) => tailOf(item)),
    ...leftovers(dispatch, folder),
    ...(owesChangelog(dispatch) && !artifacts.some(({ path }) => path === "CHANGELOG.md")
      ? ["CHANGELOG.md does not say what changed, which the definition of done asks for"]
      : []),
  ];
  turn({
    thought:
      objections.length === 0 ? "It is what the task asked for, and nothing else." : objections.join("\n"),
    action: objections.length === 0 ? "Let it pass." : "Send it back to who implemented it.",
    observation: evidence.map((item) => tailOf(item, 4)).join("\n"),
    confidence: 0.9,
  });
  if (objections.length > 0) {
    return sentBack({
      stageId: "implement",
      code: "REVIEW_OBJECTS",
      reason: objections.join("; "),
      evidence,
    });
  }
  const head = await yard.git("-C", folder, "rev-parse", "HEAD");
  return succeeded({
    summary: `Reviewed ${head.slice(0, 12)}: ${artifacts.length} files, ${linesChanged} lines, no objection.`,
    evidence,
    contextOut: {
      decisionsMade: [
        {
          decisionId: `review-${head.slice(0, 12)}`,
          description: `Commit ${head} was reviewed`,
          rationale: "What was reported is what was committed; lint and tests pass",
          sourceTask: envelope.contract?.taskId ?? "",
        },
      ],
    },
  });
}

/** What the developer reported came as references: each is held against the file that was committed. */
function checkDigests({ envelope }: Dispatch, folder: string): EvidenceItemInit {
  const reported = envelope.refs.filter(({ digest }) => digest.startsWith("sha256:"));
  const lines = reported.map(({ uriOrLocator, digest }) => {
    const found = digestOf(join(folder, uriOrLocator));
    return found === digest
      ? `${uriOrLocator}: ${digest}, as reported`
      : `${uriOrLocator}: ${found}, reported ${digest}`;
  });
  const differs = lines.some((line) => !line.endsWith("as reported"));
  return evidenceFrom({
    type: EvidenceType.MANUAL,
    command: "",
    output: lines.length === 0 ? "No digest was reported." : lines.join("\n"),
    exitCode: differs ? 1 : 0,
  });
}

const owesChangelog = ({ envelope }: Dispatch): boolean =>
  envelope.contract?.definitionOfDone.some((line) => line.includes("CHANGELOG.md")) ?? false;

/** A rename that is done leaves nothing for another one to do. */
function leftovers({ envelope }: Dispatch, folder: string): string[] {
  const order = readOrder(envelope);
  if (order?.kind !== "rename") return [];
  const files = ["src", "test"].flatMap((part) =>
    readdirSync(join(folder, part)).map((one) => join(part, one)),
  );
  return files
    .filter((file) => {
      const text = readFileSync(join(folder, file), "utf8");
      return renameWhole(text, order.from, "") !== text;
    })
    .map((file) => `${file} still says ${order.from}`);
}
