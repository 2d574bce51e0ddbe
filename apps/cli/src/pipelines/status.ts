import type { Ending } from "../exit-codes.ts";
import { statusText } from "../output/moment-text.ts";
import type { Tone } from "../output/paint.ts";

const tones: Readonly<Record<string, Tone>> = {
  completed: "good",
  failed: "bad",
  aborted: "bad",
  rejected: "bad",
  paused: "attention",
  skipped: "quiet",
  pending: "quiet",
};

export const toneOfStatus = (status: string): Tone | undefined => tones[statusText(status)];

/** How a pipeline's end ends the command that watched it; undefined while it goes on. */
export function endingOfStatus(status: string): Ending | undefined {
  switch (statusText(status)) {
    case "completed":
      return "done";
    case "failed":
    case "aborted":
      return "failed";
    default:
      return undefined;
  }
}

/** As a person writes it, and as the server names it. */
export const pipelineStatuses = ["pending", "running", "paused", "completed", "failed", "aborted"] as const;
export const statusName = (status: string): string => `PIPELINE_STATUS_${status.toUpperCase()}`;
