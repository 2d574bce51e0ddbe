import {
  type Answer,
  ArtifactAction,
  Confidence,
  type Dispatch,
  evidenceFrom,
  failed,
  failedForGood,
  needsAnswer,
  partlyDone,
  sentBack,
  succeeded,
} from "@signalbox/agent-sdk";

/**
 * What an agent makes of one attempt. `waits` is the slow one: it goes on once the spec says so, and succeeds, so that
 * no spec waits on time. `leaks` does so too, and says a secret before and behind.
 */
export type Step =
  | "succeeds"
  | "fails"
  | "fails-for-good"
  | "asks"
  | "asks-at-length"
  | "half-done"
  | "doubts"
  | "sends-back"
  | "throws"
  | "fails-its-gate"
  | "leaks"
  | "waits";

/** By task type, the steps of its attempts in their order; the last of them goes on for all that follow. */
export type Script = Readonly<Record<string, readonly Step[]>>;

/** Of a form that is known for a secret, put together here so that no scanner takes the file for a leak. */
export const secret = ["ghp", "aB3dE6gH9".repeat(4)].join("_");
export const changedFile = "src/numbers.js";
const ran = (exitCode: number) =>
  evidenceFrom({
    command: "node --test",
    output: exitCode === 0 ? "# tests 12\n# pass 12\n# fail 0" : "# tests 12\n# pass 11\n# fail 1",
    exitCode,
  });
const artifacts = [
  { path: changedFile, action: ArtifactAction.MODIFIED, digest: `sha256:${"5a".repeat(32)}` },
];
const decision = (taskType: string) => ({
  decisionsMade: [
    {
      decisionId: `by-${taskType}`,
      description: `${taskType} is done`,
      rationale: "As the task asked for it",
      sourceTask: "",
    },
  ],
});

const answers: Record<Exclude<Step, "throws" | "waits" | "leaks">, (dispatch: Dispatch) => Answer> = {
  succeeds: ({ taskType }) =>
    succeeded({
      summary: `${taskType} is done, and its tests pass.`,
      evidence: [ran(0)],
      artifacts: taskType === "feature-implementation" ? artifacts : [],
      linesChanged: taskType === "feature-implementation" ? 12 : 0,
      contextOut: decision(taskType),
    }),
  fails: () =>
    failed({ code: "TEST_SUITE_FAILED", reason: "One of twelve tests fails.", evidence: [ran(1)] }),
  "fails-for-good": () =>
    failedForGood({ code: "CANNOT_BE_DONE", reason: "The file is not there.", evidence: "Nothing was run." }),
  "fails-its-gate": () => succeeded({ summary: "It is done, but for one test.", evidence: [ran(1)] }),
  asks: () => needsAnswer({ question: "Which name shall it have?" }),
  "asks-at-length": () => needsAnswer({ question: `${atLength} ${unbroken}` }),
  "half-done": () => partlyDone({ summary: "One of two criteria is met.", evidence: [ran(0)] }),
  doubts: () =>
    succeeded({ summary: "It may be right.", evidence: [ran(0)], confidence: Confidence.UNCERTAIN }),
  "sends-back": () =>
    sentBack({
      stageId: "implement",
      code: "REVIEW_OBJECTS",
      reason: "The change log does not say what changed.",
      evidence: [ran(0)],
    }),
};

/** What an agent may send that is longer than any page expects, and without a place to break it. */
export const unbroken = "Donaudampfschifffahrtsgesellschaftskapitaen".repeat(6);
const atLength = "Which of the many names that were proposed shall it have in the end? ".repeat(30);

/** Tells what a real agent tells of its work, and answers as the step says. */
export async function workOn(
  dispatch: Dispatch,
  step: Step,
  letGo: (signal: AbortSignal) => Promise<void>,
): Promise<Answer> {
  const { taskType, attemptNumber, think, tool, pulse, turn } = dispatch;
  think(`Attempt ${attemptNumber} at ${taskType}: `);
  think("first I read what is there.");
  turn({
    thought: "The task is clear.",
    action: `Read ${changedFile}.`,
    observation: "120 lines.",
    confidence: 0.8,
  });
  if (step === "leaks") {
    think(` The token is ${secret.slice(0, 12)}`);
    think(`${secret.slice(12)}, which I shall not show.`);
    pulse(`export GITHUB_TOKEN=${secret}`);
  }
  if (step === "asks-at-length") {
    think(atLength);
    pulse(unbroken.repeat(8));
    turn({ thought: unbroken, action: unbroken, observation: atLength, confidence: 0.5 });
  }
  if (step === "waits" || step === "leaks") await letGo(dispatch.signal);
  if (step === "throws") throw new Error("the agent's own program failed");
  await tool("node", { command: "node --test", ...(step === "leaks" && { token: secret }) }, async () => {
    for (const line of ["TAP version 13", "# tests 12"]) pulse(line);
  });
  turn({
    thought: "The tests say it.",
    action: "node --test",
    observation: "12 tests were run.",
    confidence: step === "doubts" ? 0.3 : 0.9,
  });
  return answers[step === "waits" || step === "leaks" ? "succeeds" : step](dispatch);
}
