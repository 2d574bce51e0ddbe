import { expect, test } from "vitest";
import { createRefresh } from "./refresh.ts";

/** Readings and pauses that end when the test says so. */
function readings() {
  const read: string[] = [];
  const open: PromiseWithResolvers<void>[] = [];
  const pauses: PromiseWithResolvers<void>[] = [];
  const refresh = createRefresh(
    (key) => {
      read.push(String(key[0]));
      const reading = Promise.withResolvers<void>();
      open.push(reading);
      return reading.promise;
    },
    () => {
      const pause = Promise.withResolvers<void>();
      pauses.push(pause);
      return pause.promise;
    },
  );
  const settle = async (): Promise<void> => {
    open.at(-1)?.resolve();
    pauses.at(-1)?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { read, open, pauses, refresh, settle };
}

test("the first message is read at once; of a hundred more, one reading follows", async () => {
  const { read, refresh, settle } = readings();
  refresh(["list"]);
  expect(read).toEqual(["list"]);
  for (let index = 0; index < 100; index += 1) refresh(["list"]);
  expect(read).toHaveLength(1);
  await settle();
  expect(read).toHaveLength(2);
  await settle();
  expect(read).toHaveLength(2);
});

test("the next reading waits for the one before it and for the pause, whichever takes longer", async () => {
  const { read, open, pauses, refresh } = readings();
  refresh(["list"]);
  refresh(["list"]);
  pauses[0]?.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toHaveLength(1);
  open[0]?.reject(new Error("no answer"));
  await new Promise((resolve) => setImmediate(resolve));
  expect(read).toHaveLength(2);
});

test("one query's readings do not hold up another's, and a later message is read at once again", async () => {
  const { read, refresh, settle } = readings();
  refresh(["list"]);
  await settle();
  refresh(["one"]);
  refresh(["list"]);
  expect(read).toEqual(["list", "one", "list"]);
});
