import { expect, test } from "vitest";
import { createFakeClock } from "./fake-clock.ts";

test("nothing happens until time is moved, then all that is due, in order and at its time", () => {
  const clock = createFakeClock();
  const start = clock.now().getTime();
  const heard: [string, number][] = [];
  const hear = (name: string) => () => heard.push([name, clock.now().getTime() - start]);
  clock.after(30, hear("once"));
  const stop = clock.repeat(20, hear("often"));
  clock.after(25, () => clock.after(1, hear("nested")));
  expect(heard).toEqual([]);
  clock.advance(45);
  expect(heard).toEqual([
    ["often", 20],
    ["nested", 26],
    ["once", 30],
    ["often", 40],
  ]);
  stop();
  clock.advance(100);
  expect(heard).toHaveLength(4);
  expect(clock.now().getTime() - start).toBe(145);
});

test("a timer that would never let time pass is refused", () => {
  const clock = createFakeClock();
  expect(() => clock.repeat(0, () => {})).toThrow(RangeError);
  expect(() => clock.after(-1, () => {})).toThrow(RangeError);
});
