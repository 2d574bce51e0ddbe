import { expect, test } from "vitest";
import {
  isRecovery,
  reconnectDelay,
  step,
  together,
  type Connection,
  type ConnectionEvent,
} from "./connection.ts";

function run(...events: ConnectionEvent[]) {
  const recoveries: number[] = [];
  let connection: Connection = { kind: "idle" };
  for (const [index, event] of events.entries()) {
    const next = step(connection, event);
    if (isRecovery(connection, next)) recoveries.push(index);
    connection = next;
  }
  return { connection, recoveries };
}

test("a first connection is no recovery: nothing was missed", () => {
  expect(run({ type: "started" }, { type: "opened" })).toEqual({
    connection: { kind: "connected" },
    recoveries: [],
  });
});

test("a loss is dated once, and each further failure counts as an attempt", () => {
  const { connection } = run(
    { type: "started" },
    { type: "opened" },
    { type: "failed", at: 1000 },
    { type: "started" },
    { type: "failed", at: 2000 },
    { type: "failed", at: 3000 },
  );
  expect(connection).toEqual({ kind: "lost", since: 1000, attempts: 3 });
});

test("while lost, a new attempt is still a loss: the notice must not blink", () => {
  expect(run({ type: "failed", at: 5 }, { type: "started" }).connection).toEqual({
    kind: "lost",
    since: 5,
    attempts: 1,
  });
});

test("each return after a loss is one recovery", () => {
  const { connection, recoveries } = run(
    { type: "opened" },
    { type: "failed", at: 1 },
    { type: "opened" },
    { type: "opened" },
    { type: "failed", at: 2 },
    { type: "started" },
    { type: "opened" },
  );
  expect(connection).toEqual({ kind: "connected" });
  expect(recoveries).toEqual([2, 6]);
});

test("signing out rests the line, and signing in again is no recovery", () => {
  const { recoveries } = run({ type: "opened" }, { type: "rested" }, { type: "started" }, { type: "opened" });
  expect(recoveries).toEqual([]);
});

const lostAt = (since: number): Connection => ({ kind: "lost", since, attempts: 1 });
const connected: Connection = { kind: "connected" };

test("either line's loss is the connection's, and it is dated by the first", () => {
  expect(together({ calls: connected, stream: lostAt(7) })).toEqual(lostAt(7));
  expect(together({ calls: lostAt(5), stream: connected })).toEqual(lostAt(5));
  expect(together({ calls: lostAt(5), stream: lostAt(7) })).toEqual(lostAt(5));
  expect(together({ calls: lostAt(9), stream: lostAt(7) })).toEqual(lostAt(7));
});

test("a page that follows nothing is connected by its calls alone", () => {
  expect(together({ calls: connected, stream: { kind: "idle" } })).toEqual(connected);
  expect(together({ calls: connected, stream: { kind: "connecting" } })).toEqual(connected);
  expect(together({ calls: { kind: "connecting" }, stream: connected })).toEqual({ kind: "connecting" });
});

test("the delay doubles from a quarter of a second to four seconds, of which half is random", () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((attempt) => reconnectDelay(attempt, () => 1))).toEqual([
    250, 500, 1000, 2000, 4000, 4000, 4000,
  ]);
  expect(reconnectDelay(4, () => 0)).toBe(2000);
});
