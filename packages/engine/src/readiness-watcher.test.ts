import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { systemClock } from "./clock.ts";
import {
  followReadiness,
  watchReadiness,
  type DatedReadiness,
  type ReadinessWatcher,
} from "./readiness-watcher.ts";

const current = { pending: [], unknownBreaking: [] };
let watcher: ReadinessWatcher;
const database = {
  probe: vi.fn<() => Promise<void>>(),
  schema: vi.fn<() => Promise<typeof current>>(),
  onLost: vi.fn<(reason: unknown) => void>(),
};

beforeEach(() => {
  vi.useFakeTimers({ now: new Date("2026-11-18T12:00:00Z") });
  database.probe.mockReset().mockResolvedValue();
  database.schema.mockReset().mockResolvedValue(current);
  database.onLost.mockReset();
  watcher = watchReadiness({ clock: systemClock, ...database });
});
afterEach(() => {
  watcher.stop();
  vi.useRealTimers();
});

const heard = () => {
  const readings: DatedReadiness[] = [];
  watcher.onChange((reading) => readings.push(reading));
  return readings;
};

describe("the readiness watcher", () => {
  test("READY-1 is not ready before it has looked, and is after", async () => {
    expect(watcher.current().status).toBe("degraded");
    await watcher.look();
    expect(watcher.current()).toMatchObject({ status: "ready", at: new Date("2026-11-18T12:00:00Z") });
  });

  test("loses the database and finds it again, telling each change once and why once", async () => {
    await watcher.look();
    const readings = heard();
    database.probe.mockRejectedValue(new Error("gone"));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(readings.map(({ status }) => status)).toEqual(["degraded"]);
    expect(database.onLost).toHaveBeenCalledTimes(1);
    database.probe.mockResolvedValue();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(readings.map(({ status }) => status)).toEqual(["degraded", "ready"]);
  });

  test("takes a database that hangs for one that does not answer, and does not pile up probes", async () => {
    await watcher.look();
    database.probe.mockClear().mockReturnValue(new Promise(() => {}));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(watcher.current().status).toBe("degraded");
    expect(database.probe.mock.calls.length).toBeLessThan(8);
  });

  test("looks as often for a thousand listeners as for one", async () => {
    for (let count = 0; count < 1000; count += 1) watcher.onChange(() => {});
    database.probe.mockClear();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(database.probe).toHaveBeenCalledTimes(5);
  });

  test("READY-2 draining is told at once and stays", async () => {
    await watcher.look();
    const readings = heard();
    watcher.drain();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(readings.map(({ status }) => status)).toEqual(["draining"]);
  });

  test("a listener that stopped hears nothing more", async () => {
    const readings: DatedReadiness[] = [];
    const stop = watcher.onChange((reading) => readings.push(reading));
    stop();
    await watcher.look();
    expect(readings).toEqual([]);
  });
});

describe("following readiness", () => {
  test("gives what is now, then the changes, and skips what a slow reader missed", async () => {
    await watcher.look();
    const controller = new AbortController();
    const following = followReadiness(watcher, controller.signal);
    expect((await following.next()).value).toMatchObject({ status: "ready" });
    database.probe.mockRejectedValueOnce(new Error("gone"));
    await watcher.look();
    await watcher.look();
    watcher.drain();
    expect((await following.next()).value).toMatchObject({ status: "draining" });
    const end = following.next();
    controller.abort();
    expect(await end).toEqual({ done: true, value: undefined });
  });

  test("leaves no listener behind when its reader goes", async () => {
    const stop = vi.fn<() => void>();
    const following = followReadiness(
      { current: () => watcher.current(), onChange: () => stop },
      new AbortController().signal,
    );
    await following.next();
    await following.return();
    expect(stop).toHaveBeenCalledTimes(1);
  });
});
