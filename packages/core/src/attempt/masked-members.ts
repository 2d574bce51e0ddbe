import type { AgentResponse } from "@signalbox/contracts";
import { MARKER_OPENING } from "../redaction/marker.ts";
import type { Mark } from "../redaction/redact-value.ts";
import type { Sensitive } from "../sacp/guardrails.ts";

export type FoundAnswer = {
  readonly answer: AgentResponse;
  readonly fault: string | null;
  /** What it was read from, where the agent gave no answer of its own. */
  readonly text: string | null;
  /** The agent failed in words of its own: these are for guardrails to look at, and no answer. */
  readonly standsIn: boolean;
};

/**
 * SACP-44: which members of an answer have masked values. Of one that was read from the summary, redaction saw the text
 * alone, so that its markers tell; where a marker of the text is in no member, or the text has none, both count as masked.
 */
export function maskedMembers({ answer, text, standsIn }: FoundAnswer, masked: readonly Mark[]): Sensitive {
  const under = (prefix: string): boolean => masked.some(({ path }) => path.startsWith(prefix));
  if (text === null) return { data: under("response.data"), message: under("response.message") };
  if (!under("status.summary")) return { data: false, message: false };
  const data = markersIn(JSON.stringify(answer.data ?? {}));
  const message = markersIn(answer.message);
  const found = data + message + markersIn(answer.thought) + markersIn(answer.nextStepHint);
  const isTold = !standsIn && found > 0 && found === markersIn(text);
  return { data: data > 0 || !isTold, message: message > 0 || !isTold };
}

const markersIn = (text: string): number => text.split(MARKER_OPENING).length - 1;
