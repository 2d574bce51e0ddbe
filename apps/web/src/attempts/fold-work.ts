import type { WorkEvent } from "./work-event.ts";

export type ToolState = "at work" | "success" | "failure" | "timeout" | "unknown";

/** A row of an attempt's log. `key` stays a row's own while more comes, so that a screen keeps its place. */
export type WorkRow = { readonly key: string; readonly turnIndex: number } & (
  | { readonly kind: "turn" }
  | { readonly kind: "thought"; readonly text: string; readonly open: boolean }
  | {
      readonly kind: "tool";
      readonly tool: string;
      readonly given: unknown;
      readonly state: ToolState;
      readonly durationMs: number | null;
    }
  | { readonly kind: "line"; readonly text: string; readonly masked: boolean }
  | { readonly kind: "step"; readonly from: string; readonly to: string; readonly commit: string }
);

type Thought = Extract<WorkRow, { kind: "thought" }>;

/**
 * Events in their order as rows: a turn begins with its number, chunks of one thought are one text, and a call of a tool is
 * one row that knows how it ended.
 */
export function foldWork(events: readonly WorkEvent[]): WorkRow[] {
  const rows: WorkRow[] = [];
  const calls = new Map<string, number>();
  let turn: number | undefined;
  for (const { turnIndex, sequence, work } of events) {
    const head = { key: `${turnIndex}.${sequence}`, turnIndex };
    if (turnIndex !== turn) rows.push({ key: `turn ${turnIndex}`, turnIndex, kind: "turn" });
    turn = turnIndex;
    switch (work.kind) {
      case "thought": {
        const before = rows.at(-1);
        if (before?.kind === "thought" && before.open) rows[rows.length - 1] = goOn(before, work);
        else if (work.text !== "")
          rows.push({ ...head, kind: "thought", text: work.text, open: !work.final });
        break;
      }
      case "tool-begun": {
        const { callId, tool, given } = work;
        calls.set(callId, rows.length);
        rows.push({ ...head, kind: "tool", tool, given, state: "at work", durationMs: null });
        break;
      }
      case "tool-ended": {
        const at = calls.get(work.callId);
        const begun = at === undefined ? undefined : rows[at];
        const ended = { state: stateOf(work.status), durationMs: work.durationMs };
        if (at === undefined || begun?.kind !== "tool")
          rows.push({ ...head, kind: "tool", tool: work.tool, given: undefined, ...ended });
        else rows[at] = { ...begun, ...ended };
        calls.delete(work.callId);
        break;
      }
      case "line":
      case "step":
        rows.push({ ...head, ...work });
        break;
    }
  }
  return rows;
}

const goOn = (before: Thought, { text, final }: { text: string; final: boolean }): Thought => ({
  ...before,
  text: before.text + text,
  open: !final,
});

const states = ["success", "failure", "timeout"] as const;
const stateOf = (status: string): ToolState => states.find((state) => state === status) ?? "unknown";
