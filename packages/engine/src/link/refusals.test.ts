import type { Database } from "@signalbox/db";
import { expect, test } from "vitest";
import { forgetRefusal, notedRefusal, noteRefusal } from "./refusals.ts";

const database = () => ({}) as Database;

test("SENT-3 why nobody took it is there for each batch that decides on it, until somebody takes it", () => {
  const own = database();
  noteRefusal(own, "east", "p-d0.1", "the agent answered 503");
  noteRefusal(own, "east", "p-d0.1", "the agent answered 302");
  const noted = () => notedRefusal(own, "east", "p-d0.1");
  expect([noted(), noted()]).toEqual(["the agent answered 302", "the agent answered 302"]);
  expect(notedRefusal(own, "west", "p-d0.1")).toBeUndefined();
  expect(notedRefusal(database(), "east", "p-d0.1")).toBeUndefined();
  forgetRefusal(own, "east", "p-d0.1");
  expect(noted()).toBeUndefined();
});

test("no more is kept than ten thousand, and the oldest goes first", () => {
  const own = database();
  for (let count = 0; count <= 10_000; count += 1) noteRefusal(own, "east", `p-d${count}.1`, "away");
  expect([0, 1, 10_000].map((count) => notedRefusal(own, "east", `p-d${count}.1`))).toEqual([
    undefined,
    "away",
    "away",
  ]);
});
