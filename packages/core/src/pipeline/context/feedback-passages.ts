import type { Feedback, FeedbackKind, StageState } from "../state.ts";
import { clip, type Passage } from "./bounded-text.ts";

const headings: { readonly [kind in FeedbackKind]: (attempt: number) => string } = {
  rejection: (attempt) => `Attempt ${attempt} was sent back.`,
  retry: (attempt) => `Attempt ${attempt} did not pass.`,
  answer: (attempt) => `Attempt ${attempt} asked a question, and this is the answer:`,
  handoff: (attempt) => `The agent of attempt ${attempt} handed this on, and says:`,
};

/** As much of one proof as leaves room for the others. */
const evidenceLimit = 4096;

/** CARRY-7 (4.6): instructions first, newest first; then what failed and why; then what the last attempt handed on. */
export function feedbackPassages(stage: StageState): Passage[] {
  const { feedback, commit, priorContextOut } = stage;
  if (feedback.length === 0 && commit === null && priorContextOut === null) return [];
  const newestFirst = feedback.toReversed();
  return [
    ...commitPassage(stage),
    ...newestFirst.flatMap(instructions),
    ...newestFirst.flatMap(evidence),
    ...priorAttempt(stage),
  ];
}

/** COMMIT-4 (TAS-114): an attempt that is not the first is told where the repository stands, or has to stand. */
function commitPassage({ commit, attemptNumber }: StageState): Passage[] {
  if (commit === null || attemptNumber < 2) return [];
  return [
    {
      text: `Return to commit ${commit.head} before you begin.`,
      what: "the commit to return to",
      from: null,
    },
  ];
}

function instructions({ kind, fromAttempt, text, question }: Feedback): Passage[] {
  const said = toldIn[kind](text, question);
  if (said === "") return [];
  return [
    {
      text: `${headings[kind](fromAttempt)}${said}`,
      what: `${kind} of attempt ${fromAttempt}`,
      from: null,
    },
  ];
}

/** What a person was asked is why they sent it back, or had it tried again. */
const toldByPerson = (text: string, question: string | null): string =>
  (text === "" ? "" : ` What to do:\n${text}`) + (question === null ? "" : `\nWhy: ${question}`);
const toldByAgent = (text: string): string => (text === "" ? "" : `\n${text}`);

const toldIn: { readonly [kind in FeedbackKind]: (text: string, question: string | null) => string } = {
  rejection: toldByPerson,
  retry: toldByPerson,
  answer: (text, question) =>
    toldByAgent(question === null ? text : `Question: ${question}\nAnswer: ${text}`),
  handoff: toldByAgent,
};

function evidence({ fromAttempt, failedChecks }: Feedback): Passage[] {
  return failedChecks.map((check) => {
    const { text, lost } = clip(check.evidence, evidenceLimit);
    return {
      text: `Check "${check.gateName}" failed on attempt ${fromAttempt}:\n${text}`,
      what: `evidence of check ${check.gateName}`,
      from: null,
      lost,
    };
  });
}

function priorAttempt({ priorContextOut }: StageState): Passage[] {
  if (priorContextOut === null) return [];
  const { decisionsMade, risksIdentified, assumptionsMade, rollbackNotes } = priorContextOut;
  const lines = [
    ...decisionsMade.map(
      ({ description, rationale }) => `- decided: ${description}${rationale === "" ? "" : ` (${rationale})`}`,
    ),
    ...risksIdentified.map((risk) => `- risk: ${risk}`),
    ...assumptionsMade.map((assumption) => `- assumed: ${assumption}`),
    ...(rollbackNotes === "" ? [] : [`- to undo it: ${rollbackNotes}`]),
  ];
  if (lines.length === 0) return [];
  return [
    { text: ["What the last attempt tried:", ...lines].join("\n"), what: "prior context_out", from: null },
  ];
}
