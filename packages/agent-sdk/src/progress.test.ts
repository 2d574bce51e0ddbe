import { fromJson } from "@bufbuild/protobuf";
import { SignalboxError, TaskEnvelopeSchema } from "@signalbox/contracts";
import { type Event, EventSchema, type TurnEnvelope, TurnEnvelopeSchema } from "@signalbox/contracts/saop";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress } from "./progress.ts";
import { envelopeJson } from "./testing/scripted-signalbox.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function prepare() {
  const sent: { events?: readonly Event[]; turn?: TurnEnvelope }[] = [];
  const trouble: string[] = [];
  const refusals: SignalboxError[] = [];
  const state = { refusedWord: "" };
  const take = async (said: (typeof sent)[number]) => {
    if (state.refusedWord !== "" && JSON.stringify(said).includes(state.refusedWord))
      throw new SignalboxError("PAYLOAD_TOO_LARGE", "over a limit");
    sent.push(said);
    const refusal = refusals.shift();
    if (refusal !== undefined) throw refusal;
  };
  const progress = createProgress({
    client: { reportEvents: (_, events) => take({ events }), reportTurn: (_, turn) => take({ turn }) },
    dispatchId: "d-1",
    envelope: fromJson(TaskEnvelopeSchema, envelopeJson("d-1")),
    role: "reviewer",
    over: new AbortController().signal,
    trouble: (error) => trouble.push(error.code),
  });
  return {
    sent,
    trouble,
    refusals,
    refuse: (word: string) => {
      state.refusedWord = word;
    },
    progress,
    events: () => sent.flatMap(({ events }) => events ?? []),
  };
}

test("what is told in one breath is sent in one request, and each event is one of the protocol", async () => {
  const { progress, sent, events } = prepare();
  progress.think("so");
  progress.pulse("1 passed");
  progress.commit("9fceb02");
  await progress.tool("node", { command: "node --test" }, async () => "ok");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  expect(events().map(({ payload }) => payload.type)).toEqual([
    "THOUGHT_STREAM",
    "SANDBOX_PULSE",
    "TASK_TRANSITION",
    "TOOL_LIFECYCLE_INVOKED",
    "TOOL_LIFECYCLE_COMPLETED",
  ]);
  for (const event of events()) expect(EventSchema.safeParse(event).success).toBe(true);
  expect(events().map(({ turn_index, sequence }) => [turn_index, sequence])).toEqual(
    [0, 1, 2, 3, 4].map((sequence) => [0, sequence]),
  );
  expect(new Set(events().map(({ event_id }) => event_id)).size).toBe(5);
});

test("a turn ends its thoughts, stands behind its events, and the next begins its own count", async () => {
  const { progress, sent, events } = prepare();
  progress.think("so");
  progress.turn({ thought: "so", action: "look", confidence: 0.4 });
  progress.pulse("later");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent.flatMap((one) => Object.keys(one))).toEqual(["events", "turn", "events"]);
  expect(events()[1]?.payload).toMatchObject({ type: "THOUGHT_STREAM", chunk: "", is_final: true });
  expect(events()[2]).toMatchObject({ turn_index: 1, sequence: 0 });
  expect(TurnEnvelopeSchema.parse(sent[1]?.turn)).toMatchObject({
    turn_index: 0,
    agent_id: "reviewer",
    content: { thought: "so", action: "look", observation: "" },
    metadata: { task_id: "TASK-1", confidence: 0.4 },
  });
});

test("what may not have arrived is said again under the same names", async () => {
  const { progress, sent, refusals, trouble } = prepare();
  refusals.push(new SignalboxError("UNAVAILABLE", "away"), new SignalboxError("UNAVAILABLE", "away"));
  progress.pulse("once");
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent).toHaveLength(3);
  expect(sent[2]).toEqual(sent[0]);
  expect(trouble).toEqual(["UNAVAILABLE", "UNAVAILABLE"]);
});

test("once it is refused for good nothing more is told, and the work goes on", async () => {
  const { progress, sent, refusals, trouble } = prepare();
  refusals.push(new SignalboxError("STALE_DISPATCH", "over"));
  progress.pulse("one");
  await vi.advanceTimersByTimeAsync(1_000);
  await expect(progress.tool("node", {}, async () => 7)).resolves.toBe(7);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sent).toHaveLength(1);
  expect(trouble).toEqual(["STALE_DISPATCH"]);
});

test("what is refused for what is in it is left out by itself, its place is kept, and everything else is told", async () => {
  const { progress, sent, events, trouble, refuse } = prepare();
  // No word that an event's random id could hold.
  refuse("wrong");
  for (const line of ["a", "b", "wrong", "c", "d"]) progress.pulse(line);
  progress.turn({ thought: "wrong", action: "look", confidence: 0.4 });
  progress.pulse("after");
  await vi.advanceTimersByTimeAsync(5_000);
  const taken = events().flatMap(({ turn_index: turn, sequence, payload }) =>
    "line" in payload ? [[turn, sequence, payload.line]] : [],
  );
  expect(taken).toEqual([
    [0, 0, "a"],
    [0, 1, "b"],
    [0, 2, "[an event was left out here: Signalbox refused it]"],
    [0, 3, "c"],
    [0, 4, "d"],
    [1, 0, "after"],
  ]);
  expect(trouble).toEqual(["PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE"]);
  expect(sent.flatMap(({ turn }) => turn ?? [])).toEqual([]);
});

test("a tool that fails is told as that, and what it threw is the work's to handle", async () => {
  const { progress, events } = prepare();
  const late = Object.assign(new Error("late"), { name: "TimeoutError" });
  for (const thrown of [new Error("no"), late]) {
    await expect(progress.tool("node", {}, () => Promise.reject(thrown))).rejects.toBe(thrown);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  expect(events().map(({ payload }) => "status" in payload && payload.status)).toEqual([
    false,
    "failure",
    false,
    "timeout",
  ]);
});

test("while Signalbox is away no more than a bound is kept, and what was left out says so, without a gap", async () => {
  const { progress, refusals, events } = prepare();
  refusals.push(...Array.from({ length: 4 }, () => new SignalboxError("UNAVAILABLE", "away")));
  for (let line = 0; line < 6_000; line += 1) progress.pulse(`line ${line}`);
  await vi.advanceTimersByTimeAsync(30_000);
  progress.pulse("back");
  await vi.advanceTimersByTimeAsync(5_000);
  const told = new Map(events().map((event) => [event["sequence"], event.payload]));
  expect([...told.keys()]).toEqual(Array.from({ length: 5_002 }, (_, sequence) => sequence));
  expect([...told.values()].slice(-2)).toMatchObject([
    { line: "back" },
    { line: "[1000 events were left out here: Signalbox could not be reached]" },
  ]);
});
