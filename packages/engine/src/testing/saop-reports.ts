import { randomUUID } from "node:crypto";
import type { Event, TurnEnvelope } from "@signalbox/contracts/saop";
import { readRows } from "@signalbox/db/testing";

const timestamp = "2026-02-21T09:30:00.000Z";

type Place = Partial<Pick<Event, "event_id" | "sequence" | "turn_index">>;

const said = (payload: Event["payload"], place: Place): Event => ({
  event_id: randomUUID(),
  session_id: "session-1",
  ...place,
  payload,
});

export const thought = (chunk: string, place: Place & { isFinal?: boolean } = {}): Event => {
  const { isFinal = false, turn_index = 0, ...rest } = place;
  return said({ type: "THOUGHT_STREAM", agent_id: "developer", turn_index, chunk, is_final: isFinal }, rest);
};

export const pulse = (line: string, place: Place = {}): Event =>
  said({ type: "SANDBOX_PULSE", line, masked: false, timestamp }, place);

export const toolCall = (args: Record<string, unknown>, place: Place = {}): Event =>
  said(
    { type: "TOOL_LIFECYCLE_INVOKED", call_id: randomUUID(), tool: "grep", arguments: args, timestamp },
    place,
  );

export const turn = (
  turnIndex: number,
  { confidence = 0.9, ...content }: Partial<TurnEnvelope["content"]> & { confidence?: number } = {},
): TurnEnvelope => ({
  turn_index: turnIndex,
  agent_id: "developer",
  role: "developer",
  content: { thought: "why", action: "what", observation: "seen", ...content },
  metadata: { version: "1.0.0", task_id: "t-1", timestamp, confidence, estimated_complexity: "low" },
});

/** Every column of every table, as a login that sees all of them reads it; bytes as they would read as text. */
export async function everyColumn(url: string): Promise<Map<string, string>> {
  const tables = await readRows(
    url,
    "select tablename from pg_tables where schemaname = 'signalbox' order by tablename",
  );
  const dumped = await Promise.all(
    tables.map(async ({ tablename }) => {
      const name = String(tablename);
      const rows = await readRows(url, `select row_to_json(t)::text as row from signalbox."${name}" t`);
      const text = rows.map(({ row }) => String(row)).join("\n");
      const bytes = Array.from(text.matchAll(/\\\\x((?:[\da-f]{2})+)/g), ([, hex = ""]) =>
        Buffer.from(hex, "hex").toString("latin1"),
      );
      return [name, [text, ...bytes].join("\n")] as const;
    }),
  );
  return new Map(dumped);
}
