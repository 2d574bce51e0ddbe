import { expect, test } from "vitest";
import {
  createStreamClient,
  LINGER_MS,
  SILENCE_MS,
  type Line,
  type LineEvents,
  type LiveMessage,
  type StreamClient,
} from "./stream-client.ts";

type Timer = { at: number; work: () => void };

/** The other end of the line, and a clock that is moved by hand. */
function surroundings() {
  const lines: (Line & { events: LineEvents; sent: unknown[]; closed: boolean })[] = [];
  const timers = new Set<Timer>();
  const reports: string[] = [];
  let at = 0;
  let doubts = 0;
  let isSignedIn = true;
  const client: StreamClient = createStreamClient({
    open(events) {
      const sent: unknown[] = [];
      const line = {
        events,
        sent,
        closed: false,
        send: (text: string) => void sent.push(JSON.parse(text)),
        close: () => void (line.closed = true),
      };
      lines.push(line);
      return line;
    },
    now: () => at,
    random: () => 1,
    later(ms, work) {
      const timer = { at: at + ms, work };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    report: ({ type }) => void reports.push(type),
    onDoubt: async () => {
      doubts += 1;
      return isSignedIn;
    },
  });
  const newest = () => {
    const line = lines.at(-1);
    if (line === undefined) throw new Error("no line was opened");
    return line;
  };
  return {
    client,
    lines,
    reports,
    newest,
    doubts: () => doubts,
    signOut: () => (isSignedIn = false),
    answer: () => newest().events.opened(),
    say: (message: object) => newest().events.said(JSON.stringify(message)),
    end: (code = 1006) => newest().events.closed(code),
    pass: (ms: number): void => {
      const until = at + ms;
      for (;;) {
        const next = [...timers].filter((timer) => timer.at <= until).toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) break;
        timers.delete(next);
        at = Math.max(at, next.at);
        next.work();
      }
      at = until;
    },
  };
}

const topic = "pipeline:1";
const event = (cursor: string, of = topic) => ({
  type: "event",
  topic: of,
  cursor,
  kind: "pipeline.changed",
  at: "2030-01-01T00:00:00.000Z",
  pipelineId: "1",
  data: {},
});
const subscribed = (cursor: string, of = topic) => ({ type: "subscribed", topic: of, cursor });
const heard: string[] = [];
const hears = () => {
  heard.length = 0;
  return (message: LiveMessage) => {
    heard.push(message.type === "started" ? "started" : message.cursor);
  };
};
const refusal = (code: string, of = topic) => ({
  type: "error",
  topic: of,
  problem: { code, title: "Refused", detail: "", violations: [] },
});

test("no line is opened before somebody listens; a listener hears first that its subscription stands", () => {
  const { client, lines, answer, say, newest, reports } = surroundings();
  expect(lines).toHaveLength(0);
  client.listen(topic, hears());
  answer();
  expect(newest().sent).toEqual([{ type: "subscribe", topic }]);
  say(event("too early"));
  say(subscribed("c0"));
  say(event("c1"));
  expect(heard).toEqual(["started", "c1"]);
  expect(reports).toEqual(["started", "opened"]);
});

test("all topics share one line, and an event is heard by its own topic only", () => {
  const { client, lines, answer, say } = surroundings();
  client.listen(topic, hears());
  answer();
  client.listen("alerts", () => heard.push("other"));
  say(subscribed("c0"));
  say(event("c1"));
  expect(lines).toHaveLength(1);
  expect(heard).toEqual(["started", "c1"]);
});

test("a lost line is opened again after a while, and goes on after the last cursor without a new start", () => {
  const { client, lines, answer, say, end, pass, newest, reports } = surroundings();
  client.listen(topic, hears());
  answer();
  say(subscribed("c0"));
  say(event("c1"));
  end();
  expect(reports.at(-1)).toBe("failed");
  pass(249);
  expect(lines).toHaveLength(1);
  pass(1);
  expect(lines).toHaveLength(2);
  answer();
  expect(newest().sent).toEqual([{ type: "subscribe", topic, after: "c1" }]);
  say(subscribed("c1"));
  say(event("c2"));
  expect(heard).toEqual(["started", "c1", "c2"]);
  expect(reports.at(-1)).toBe("opened");
});

test("a heartbeat moves the cursor of every subscription that stands, and of no other", () => {
  const { client, answer, say, end, pass, newest } = surroundings();
  client.listen(topic, hears());
  answer();
  say(subscribed("c0"));
  client.listen("alerts", () => undefined);
  say({ type: "heartbeat", cursor: "c9" });
  end();
  pass(250);
  answer();
  expect(newest().sent).toEqual([
    { type: "subscribe", topic, after: "c9" },
    { type: "subscribe", topic: "alerts" },
  ]);
});

test("each failure waits longer, and a subscription that stands begins anew with the shortest", () => {
  const { client, lines, answer, say, end, pass } = surroundings();
  client.listen(topic, hears());
  end();
  pass(250);
  end();
  pass(499);
  expect(lines).toHaveLength(2);
  pass(1);
  expect(lines).toHaveLength(3);
  answer();
  say(subscribed("c0"));
  end();
  pass(250);
  expect(lines).toHaveLength(4);
});

test("a cursor that counts no longer is given up, and the page is told to read anew", () => {
  const { client, answer, say, end, pass, newest } = surroundings();
  client.listen(topic, hears());
  answer();
  say(subscribed("c0"));
  end();
  pass(250);
  answer();
  say(refusal("CURSOR_EXPIRED"));
  pass(1_000);
  expect(newest().sent).toEqual([
    { type: "subscribe", topic, after: "c0" },
    { type: "subscribe", topic },
  ]);
  say(subscribed("c5"));
  expect(heard).toEqual(["started", "started"]);
});

test("a refusal for good is not asked again on this line; one that may pass is", () => {
  const lasting = surroundings();
  lasting.client.listen(topic, hears());
  lasting.answer();
  lasting.say(refusal("NOT_FOUND"));
  lasting.pass(SILENCE_MS - 1);
  expect(lasting.newest().sent).toHaveLength(1);

  const other = surroundings();
  other.client.listen(topic, hears());
  other.answer();
  other.say(refusal("UNAVAILABLE"));
  other.pass(1_000);
  expect(other.newest().sent).toHaveLength(2);
});

test("a line that fell silent is given up, though nobody closed it", () => {
  const { client, lines, answer, say, pass, newest } = surroundings();
  client.listen(topic, hears());
  answer();
  say(subscribed("c0"));
  const first = newest();
  pass(SILENCE_MS - 1);
  say({ type: "heartbeat", cursor: "c1" });
  pass(SILENCE_MS - 1);
  expect(first.closed).toBe(false);
  pass(1);
  expect(first.closed).toBe(true);
  pass(250);
  expect(lines).toHaveLength(2);
  answer();
  expect(newest().sent).toEqual([{ type: "subscribe", topic, after: "c1" }]);
  first.events.said(JSON.stringify(event("of a line that was given up")));
  expect(heard).toEqual(["started"]);
});

test("a second listener joins what stands and is told to read anew; the first is not", async () => {
  const { client, answer, say, newest } = surroundings();
  client.listen(topic, hears());
  answer();
  say(subscribed("c0"));
  const second: string[] = [];
  client.listen(topic, ({ type }) => second.push(type));
  await Promise.resolve();
  say(event("c1"));
  expect(second).toEqual(["started", "event"]);
  expect(heard).toEqual(["started", "c1"]);
  expect(newest().sent).toHaveLength(1);
});

test("the next page finds the subscription standing; after a while without listeners it is given up", () => {
  const { client, answer, say, pass, newest, reports } = surroundings();
  const leave = client.listen(topic, hears());
  client.listen("alerts", () => undefined);
  answer();
  say(subscribed("c0"));
  leave();
  pass(LINGER_MS - 1);
  const leaveAgain = client.listen(topic, hears());
  pass(LINGER_MS);
  expect(newest().sent).toHaveLength(2);
  leaveAgain();
  pass(LINGER_MS);
  expect(newest().sent.at(-1)).toEqual({ type: "unsubscribe", topic });
  expect(reports).not.toContain("rested");
});

test("without any listener the line is closed, and its end is no loss", () => {
  const { client, answer, say, pass, newest, reports, end } = surroundings();
  const leave = client.listen(topic, hears());
  answer();
  say(subscribed("c0"));
  leave();
  pass(LINGER_MS);
  expect(newest().closed).toBe(true);
  end(1000);
  expect(reports).toEqual(["started", "opened", "rested"]);
});

test.each([
  ["a refused upgrade", undefined, 1006],
  ["a session that ended", "stands", 4401],
  ["another role", "stands", 4403],
])("%s raises the question who is signed in", (_what, stands, code) => {
  const { client, answer, end, doubts } = surroundings();
  client.listen(topic, hears());
  if (stands !== undefined) answer();
  end(code);
  expect(doubts()).toBe(1);
});

test("another role is no loss: the line comes back with what it had, judged anew", () => {
  const { client, answer, say, end, pass, newest, reports, doubts } = surroundings();
  client.listen(topic, hears());
  answer();
  say(subscribed("c0"));
  end(4403);
  expect(doubts()).toBe(1);
  expect(reports).not.toContain("failed");
  pass(250);
  answer();
  expect(newest().sent).toEqual([{ type: "subscribe", topic, after: "c0" }]);
  // It may have changed again while no line stood, of which nobody else tells.
  expect(doubts()).toBe(2);
  end();
  pass(1_000);
  answer();
  expect(doubts()).toBe(2);
});

test.each([
  ["a session that ended", "stands", 4401],
  ["a refused upgrade", undefined, 1006],
])("%s with nobody signed in is the end, until somebody listens anew", async (_what, stands, code) => {
  const { client, answer, end, pass, lines, reports, signOut } = surroundings();
  client.listen(topic, hears());
  if (stands !== undefined) answer();
  signOut();
  end(code);
  await Promise.resolve();
  pass(600_000);
  expect(lines).toHaveLength(1);
  expect(reports.at(-1)).toBe("rested");
  client.listen(topic, hears());
  expect(lines).toHaveLength(2);
});

test("a session that ended for another, while somebody is signed in, costs the line a moment", async () => {
  const { client, answer, end, pass, lines } = surroundings();
  client.listen(topic, hears());
  answer();
  end(4401);
  pass(600_000);
  expect(lines).toHaveLength(1);
  await Promise.resolve();
  pass(600_000);
  expect(lines).toHaveLength(2);
});

test("a network that is back is tried at once, and a silent line with it", () => {
  const { client, lines, answer, say, end, pass } = surroundings();
  client.listen(topic, hears());
  end();
  client.comeBack();
  expect(lines).toHaveLength(2);
  answer();
  say(subscribed("c0"));
  client.comeBack();
  expect(lines).toHaveLength(2);
  pass(20_000);
  client.comeBack();
  pass(250);
  expect(lines).toHaveLength(3);
});
