import { setTimeout as pause } from "node:timers/promises";
import { SignalboxError } from "@signalbox/contracts";

/** What was asked to start, how often it had to be asked, and which of the answers arrived. */
export type SubmissionLog = {
  readonly tries: Map<string, number>;
  readonly acknowledged: { readonly taskId: string; readonly pipelineId: string }[];
};

export const emptySubmissions = (): SubmissionLog => ({ tries: new Map(), acknowledged: [] });

/** Asks as a client does: again in a moment, when it was told that now is no time; each try may have been kept. */
export async function submitUntilKnown(
  submissions: SubmissionLog,
  taskId: string,
  submit: () => Promise<{ pipelineId: string }>,
): Promise<void> {
  for (;;) {
    submissions.tries.set(taskId, (submissions.tries.get(taskId) ?? 0) + 1);
    try {
      const { pipelineId } = await submit();
      submissions.acknowledged.push({ taskId, pipelineId });
      return;
    } catch (error) {
      if (!(error instanceof SignalboxError) || error.code !== "UNAVAILABLE") throw error;
      await pause(20);
    }
  }
}
