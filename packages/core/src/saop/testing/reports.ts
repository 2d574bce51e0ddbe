import type { Event, TurnEnvelope } from "@signalbox/contracts/saop";

const timestamp = "2026-02-21T09:30:00.000Z";
const eventId = (number: number): string =>
  `7fbb32b6-0d2c-4c1a-9b75-${number.toString(16).padStart(12, "0")}`;

type Place = Pick<Event, "sequence" | "turn_index">;

/** Events of one attempt, each under an id of its own. */
export const aThought = (
  number: number,
  chunk: string,
  more: Place & { readonly isFinal?: boolean } = {},
): Event => {
  const { isFinal = false, turn_index = 0, ...place } = more;
  return {
    event_id: eventId(number),
    session_id: "s",
    ...place,
    payload: { type: "THOUGHT_STREAM", agent_id: "developer", turn_index, chunk, is_final: isFinal },
  };
};

export const aPulse = (number: number, line: string, place: Place = {}): Event => ({
  event_id: eventId(number),
  session_id: "s",
  ...place,
  payload: { type: "SANDBOX_PULSE", line, masked: false, timestamp },
});

export const aCall = (number: number, args: Record<string, unknown>, place: Place = {}): Event => ({
  event_id: eventId(number),
  session_id: "s",
  ...place,
  payload: {
    type: "TOOL_LIFECYCLE_INVOKED",
    call_id: `c-${number}`,
    tool: "grep",
    arguments: args,
    timestamp,
  },
});

export const aTurn = (turnIndex: number, changes: Partial<TurnEnvelope["content"]> = {}): TurnEnvelope => ({
  turn_index: turnIndex,
  agent_id: "developer",
  role: "developer",
  content: { thought: "why", action: "what", observation: "seen", ...changes },
  metadata: { version: "1.0.0", task_id: "t", timestamp, confidence: 0.9, estimated_complexity: "low" },
});
