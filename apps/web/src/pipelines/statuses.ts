import type { Aspect } from "../ui/signal.tsx";

type Shown = { readonly word: string; readonly aspect: Aspect };

/** Amber and red are for what a person is needed for; what has ended well calls nobody. */
const pipelines: Record<string, Shown> = {
  PENDING: { word: "Not begun", aspect: "unlit" },
  RUNNING: { word: "Running", aspect: "clear" },
  PAUSED: { word: "Paused", aspect: "caution" },
  COMPLETED: { word: "Completed", aspect: "clear" },
  FAILED: { word: "Failed", aspect: "danger" },
  ABORTED: { word: "Aborted", aspect: "unlit" },
};

const stages: Record<string, Shown> = {
  PENDING: { word: "Not reached", aspect: "unlit" },
  READY: { word: "Waiting for an agent", aspect: "unlit" },
  DISPATCHED: { word: "At work", aspect: "unlit" },
  COMPLETED: { word: "Completed", aspect: "clear" },
  FAILED: { word: "Failed", aspect: "danger" },
  SKIPPED: { word: "Skipped", aspect: "unlit" },
  REJECTED: { word: "Sent back", aspect: "caution" },
};

/** `PIPELINE_STATUS_RUNNING`, as the contract's JSON mapping names it, without the enum's own name. */
export const shortStatus = (name: string): string => name.replace(/^(PIPELINE|STAGE)_STATUS_/, "");

/** A status that a newer server knows is shown by its name. */
const shownOf = (table: Record<string, Shown>, name: string): Shown =>
  table[shortStatus(name)] ?? { word: shortStatus(name), aspect: "unlit" };

export const pipelineStatus = (name: string): Shown => shownOf(pipelines, name);

type StageFacts = {
  readonly status: string;
  readonly waitsForEscalationId: string | null;
  readonly wait: { readonly reason: string } | null;
  readonly notBefore: string | null;
};

/** What the signal at the end of a stage's block shows: whether the train may go on to the next. */
export function stageStatus({ status, waitsForEscalationId, wait, notBefore }: StageFacts): Shown {
  if (waitsForEscalationId !== null) return { word: "Waits for a person", aspect: "caution" };
  if (shortStatus(status) === "READY" && wait !== null)
    return { word: `Waiting: ${wordsOf(wait.reason)}`, aspect: "unlit" };
  if (shortStatus(status) === "READY" && notBefore !== null)
    return { word: "Between attempts", aspect: "unlit" };
  return shownOf(stages, status);
}

/** `no-healthy-instance` in a reader's words. */
const wordsOf = (reason: string): string => reason.toLowerCase().replaceAll(/[-_]/g, " ");
