import { compileRedactor, openTurnStream, type TurnStream } from "@signalbox/core";
import type { Seal } from "@signalbox/db";
import { expect, test, vi } from "vitest";
import { sealedStreams } from "./sealed-streams.ts";

const { encode, decode } = { encode: new TextEncoder(), decode: new TextDecoder() };
/** Never the same twice, as a nonce makes it, and good for its place alone. */
function aSeal() {
  let count = 0;
  const opened = vi.fn<Seal["open"]>((sealed, place) => {
    const [own, , text] = decode.decode(sealed).split("\n");
    return own === place ? text : undefined;
  });
  const seal: Seal = {
    close: (text, place) => encode.encode(`${place}\n${(count += 1)}\n${text}`),
    open: opened,
    leaveOpen: (text) => encode.encode(`${String((count += 1)).padStart(12)}${"\0".repeat(16)}${text}`),
    fingerprint: (text) => encode.encode(text),
  };
  return { opened, streams: sealedStreams(seal), elsewhere: sealedStreams(seal) };
}

const empty = openTurnStream(compileRedactor());
const { line, scan } = empty.thought;
const thought = { line, scan: { ...scan, held: "half of a sec" } };
const upTo = (sequence: number): TurnStream => ({ ...empty, received: [[0, sequence]], thought });

test("what was sealed here and lies there unchanged is not opened", () => {
  const { streams, opened } = aSeal();
  const stored = new Uint8Array(streams.close(upTo(3), "a"));
  expect(streams.open(stored, "a")).toEqual(upTo(3));
  expect(opened).not.toHaveBeenCalled();
});

test("what another node left, or an earlier transaction that was kept in place of the last, is opened", () => {
  const { streams, elsewhere, opened } = aSeal();
  const first = streams.close(upTo(1), "a");
  streams.close(upTo(2), "a");
  expect(streams.open(first, "a")).toEqual(upTo(1));
  expect(streams.open(elsewhere.close(upTo(5), "a"), "a")).toEqual(upTo(5));
  expect(opened).toHaveBeenCalledTimes(2);
  expect(streams.open(first, "b")).toBeUndefined();
});

test("SAOP-13 what says nothing lies open, and another node goes on from it", () => {
  const { streams, elsewhere } = aSeal();
  const open = streams.close({ ...empty, received: [[0, 7]] }, "a");
  expect(decode.decode(open)).toContain('"received":[[0,7]]');
  expect(decode.decode(streams.close(upTo(8), "a"))).toMatch(/^a\n/);
  expect(elsewhere.open(open, "a")).toEqual({ ...empty, received: [[0, 7]] });
  const changed = decode.decode(open).replace('"blindUntil":0', '"blindUntil":9');
  expect(elsewhere.open(encode.encode(changed), "a")).toBeUndefined();
});

test("no more is kept than has its room: not the longest, and not the oldest", () => {
  const { streams, opened } = aSeal();
  const held = Array.from({ length: 1_100 }, (_, index): [number, number] => [index * 2, index * 2]);
  const long = streams.close({ ...upTo(0), received: held }, "long");
  expect(streams.open(long, "long")?.received).toEqual(held);
  expect(opened).toHaveBeenCalledTimes(1);
  const first = streams.close(upTo(0), "0");
  for (let place = 1; place <= 8_192; place += 1) streams.close(upTo(place), String(place));
  expect(streams.open(first, "0")).toEqual(upTo(0));
  expect(opened).toHaveBeenCalledTimes(2);
});
