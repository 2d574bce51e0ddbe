/** Where an event stands within its attempt. */
export type Place = { readonly turnIndex: number; readonly sequence: number };

/** What an agent reported of its work (SAOP §2), as the page shows it. */
export type Work =
  | { readonly kind: "thought"; readonly text: string; readonly final: boolean }
  | { readonly kind: "tool-begun"; readonly callId: string; readonly tool: string; readonly given: unknown }
  | {
      readonly kind: "tool-ended";
      readonly callId: string;
      readonly tool: string;
      readonly status: string;
      readonly durationMs: number | null;
    }
  | { readonly kind: "line"; readonly text: string; readonly masked: boolean }
  | { readonly kind: "step"; readonly from: string; readonly to: string; readonly commit: string };

export type WorkEvent = Place & { readonly work: Work };

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const isPlace = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value >= 0;

/** A kept event, as REST, tRPC and the stream give it. A redaction policy may have put a marker in any field's place. */
export function readWorkEvent(event: unknown): WorkEvent | undefined {
  if (!isFields(event) || !isFields(event.payload)) return undefined;
  const { turn_index: turnIndex, sequence, payload } = event;
  if (!isPlace(turnIndex) || !isPlace(sequence)) return undefined;
  const work = readWork(payload);
  return work && { turnIndex, sequence, work };
}

function readWork(payload: Fields): Work | undefined {
  const callId = textOf(payload.call_id);
  const tool = textOf(payload.tool);
  switch (payload.type) {
    case "THOUGHT_STREAM":
      return { kind: "thought", text: textOf(payload.chunk), final: payload.is_final === true };
    case "TOOL_LIFECYCLE_INVOKED":
      return { kind: "tool-begun", callId, tool, given: payload.arguments };
    case "TOOL_LIFECYCLE_COMPLETED": {
      const durationMs = typeof payload.duration_ms === "number" ? payload.duration_ms : null;
      return { kind: "tool-ended", callId, tool, status: textOf(payload.status), durationMs };
    }
    case "SANDBOX_PULSE":
      return { kind: "line", text: textOf(payload.line), masked: payload.masked === true };
    case "TASK_TRANSITION": {
      const [from, to] = [textOf(payload.from_state), textOf(payload.to_state)];
      return { kind: "step", from, to, commit: textOf(payload.git_hash) };
    }
    default:
      return undefined;
  }
}

export const comparePlaces = (one: Place, other: Place): number =>
  one.turnIndex - other.turnIndex || one.sequence - other.sequence;
