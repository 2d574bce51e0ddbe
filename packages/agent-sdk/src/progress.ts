import { type ErrorCode, SignalboxError, type TaskEnvelope } from "@signalbox/contracts";
import type { AgentId, Event, EventPayload, TurnEnvelope, TurnMetadata } from "@signalbox/contracts/saop";
import type { Client } from "./client.ts";
import { retrying } from "./retrying.ts";
import { monotonicMs, wait } from "./wait.ts";

/** What an agent tells of its work while it is at it (SAOP). Nothing of it ever holds up the work or fails it. */
export type Progress = {
  /** More of what the agent is thinking in this turn. */
  readonly think: (chunk: string) => void;
  /** A line that a program at work printed. */
  readonly pulse: (line: string) => void;
  /** Runs a tool and tells when it was called and how it ended. */
  readonly tool: <T>(name: string, parameters: Record<string, unknown>, run: () => Promise<T>) => Promise<T>;
  /** The repository is at this commit: where a rewind of this work is to go back to (TAS-114). */
  readonly commit: (gitHash: string) => void;
  /** Ends the turn with what was thought, done and seen; what follows belongs to the next. */
  readonly turn: (turn: Turn) => void;
};

export type Turn = {
  readonly thought: string;
  readonly action: string;
  readonly observation?: string;
  /** From 0 to 1. A low or falling one may have a person asked (D17), so that nobody but the agent can say it. */
  readonly confidence: number;
  readonly complexity?: TurnMetadata["estimated_complexity"];
};

type Placed = Event & { readonly turn_index: number; readonly sequence: number };
type Report =
  | { readonly kind: "event"; readonly event: Placed }
  | { readonly kind: "turn"; readonly turn: TurnEnvelope };

type Surroundings = {
  readonly client: Pick<Client, "reportEvents" | "reportTurn">;
  readonly dispatchId: string;
  readonly envelope: TaskEnvelope;
  readonly role: AgentId;
  readonly over: AbortSignal;
  readonly trouble: (error: SignalboxError, doing: string) => void;
};

const together = { ms: 150, events: 200 };
/** A server that is away must not fill this process's memory. */
const mostKept = 5_000;

export function createProgress(
  around: Surroundings,
): Progress & { flushed(withinMs: number): Promise<void> } {
  const { envelope, role } = around;
  const place = { turn: 0, sequence: 0, thinks: false };
  const kept: Report[] = [];
  const state = { leftOut: 0, refused: false };
  let sending: Promise<void> | undefined;

  const send = () => {
    sending ??= sendAll(around, kept, state).finally(() => {
      sending = undefined;
      if (kept.length > 0) send();
    });
  };
  const add = (report: Report) => {
    if (state.refused) return;
    kept.push(report);
    send();
  };
  /** What is left out takes no place, for a gap would hold up what comes after it. */
  const emit = (payload: EventPayload) => {
    if (kept.length >= mostKept) {
      state.leftOut += 1;
      return;
    }
    const { turn, sequence } = place;
    place.sequence += 1;
    add({
      kind: "event",
      event: {
        event_id: crypto.randomUUID(),
        session_id: envelope.trace?.traceId ?? around.dispatchId,
        turn_index: turn,
        sequence,
        payload,
      },
    });
    if (state.leftOut > 0 && kept.length < mostKept) {
      const line = `[${state.leftOut} events were left out here: Signalbox could not be reached]`;
      state.leftOut = 0;
      emit(pulseOf(line));
    }
  };
  const thought = (chunk: string, isFinal: boolean) =>
    emit({ type: "THOUGHT_STREAM", agent_id: role, turn_index: place.turn, chunk, is_final: isFinal });

  return {
    think: (chunk) => {
      place.thinks = true;
      thought(chunk, false);
    },
    pulse: (line) => emit(pulseOf(line)),
    tool: (name, parameters, run) => callTool(emit, name, parameters, run),
    commit: (gitHash) =>
      emit({
        type: "TASK_TRANSITION",
        task_id: envelope.contract?.taskId ?? around.dispatchId,
        from_state: "working",
        to_state: "committed",
        git_hash: gitHash,
        timestamp: now(),
      }),
    turn: (said) => {
      if (place.thinks) thought("", true);
      add({ kind: "turn", turn: turnOf(envelope, role, place.turn, said) });
      Object.assign(place, { turn: place.turn + 1, sequence: 0, thinks: false });
    },
    flushed: async (withinMs) => {
      if (sending !== undefined) await Promise.race([sending, wait(withinMs)]);
    },
  };
}

const now = () => new Date().toISOString();
/** Whether a line holds a secret Signalbox judges itself. */
const pulseOf = (line: string): EventPayload => ({
  type: "SANDBOX_PULSE",
  line,
  masked: false,
  timestamp: now(),
});

const turnOf = (envelope: TaskEnvelope, role: AgentId, turn: number, said: Turn): TurnEnvelope => ({
  turn_index: turn,
  agent_id: role,
  role,
  content: { thought: said.thought, action: said.action, observation: said.observation ?? "" },
  metadata: {
    version: "1.0.0",
    task_id: envelope.contract?.taskId ?? "",
    timestamp: now(),
    confidence: said.confidence,
    estimated_complexity: said.complexity ?? "low",
  },
});

async function callTool<T>(
  emit: (payload: EventPayload) => void,
  tool: string,
  parameters: Record<string, unknown>,
  run: () => Promise<T>,
): Promise<T> {
  const call = { call_id: crypto.randomUUID(), tool };
  const began = monotonicMs();
  const end = (status: "success" | "failure" | "timeout") =>
    emit({
      type: "TOOL_LIFECYCLE_COMPLETED",
      ...call,
      status,
      duration_ms: Math.round(monotonicMs() - began),
      timestamp: now(),
    });
  emit({ type: "TOOL_LIFECYCLE_INVOKED", ...call, arguments: parameters, timestamp: now() });
  try {
    const value = await run();
    end("success");
    return value;
  } catch (thrown) {
    end(thrown instanceof Error && thrown.name === "TimeoutError" ? "timeout" : "failure");
    throw thrown;
  }
}

/** One request at a time and in order; the same event again has the same id, so that none is kept twice. */
async function sendAll(around: Surroundings, kept: Report[], state: { refused: boolean }): Promise<void> {
  const { dispatchId, over, trouble } = around;
  const doing = `reporting what goes on in ${dispatchId}`;
  let most = together.events;
  await wait(together.ms, over);
  while (kept.length > 0) {
    const sent = nextOf(kept, most);
    try {
      await retrying(() => sendOne(around, sent), {
        signal: over,
        onRetry: (error) => trouble(error, doing),
      });
      kept.splice(0, sent.length);
      most = Math.min(most * 2, together.events);
    } catch (thrown) {
      const fault = faultOfReport(thrown);
      if (fault !== undefined && !over.aborted) {
        // Refused for what is in it: the one that is meant is found, and the others are told.
        most = Math.max(1, Math.floor(sent.length / 2));
        if (sent.length > 1) continue;
        trouble(fault, doing);
        kept.splice(0, 1, ...sent.flatMap((one) => inPlaceOf(one)));
        continue;
      }
      // Over, or never known: whatever else is told of this dispatch will be refused too.
      state.refused = true;
      kept.length = 0;
      if (thrown instanceof SignalboxError && !over.aborted) trouble(thrown, doing);
    }
  }
}

/** A turn by itself, or the events up to the next turn. */
function nextOf(kept: readonly Report[], most: number): readonly Report[] {
  const turn = kept.findIndex(({ kind }) => kind === "turn");
  return kept.slice(0, turn === 0 ? 1 : Math.min(turn === -1 ? kept.length : turn, most));
}

const contentFaults: ReadonlySet<ErrorCode> = new Set(["VALIDATION_FAILED", "PAYLOAD_TOO_LARGE"]);

/** Undefined where it is not about what was said. What no JSON can say never leaves this process. */
function faultOfReport(thrown: unknown): SignalboxError | undefined {
  if (thrown instanceof SignalboxError) return contentFaults.has(thrown.code) ? thrown : undefined;
  return new SignalboxError("VALIDATION_FAILED", String(thrown).slice(0, 1_000), { cause: thrown });
}

const leftOut = "[an event was left out here: Signalbox refused it]";

/** An event's place is not left empty, for a gap would hold up what comes after it; but what stands in is not replaced again. */
function inPlaceOf(report: Report): Report[] {
  if (report.kind === "turn") return [];
  const { event } = report;
  if (event.payload.type === "SANDBOX_PULSE" && event.payload.line === leftOut) return [];
  return [{ kind: "event", event: { ...event, event_id: crypto.randomUUID(), payload: pulseOf(leftOut) } }];
}

function sendOne({ client, dispatchId, over }: Surroundings, sent: readonly Report[]): Promise<void> {
  const [first] = sent;
  if (first?.kind === "turn") return client.reportTurn(dispatchId, first.turn, over);
  return client.reportEvents(
    dispatchId,
    sent.flatMap((one) => (one.kind === "event" ? [one.event] : [])),
    over,
  );
}
