import { describe, expect, test } from "vitest";
import {
  abilityOf,
  countAble,
  errorsInWords,
  heartbeatsInWords,
  latencyInWords,
  loadInWords,
} from "./ability.ts";
import type { Instance } from "./instance-queries.ts";

const instance: Instance = {
  packId: "painter",
  instanceId: "painter-1",
  packVersion: "1.0.0",
  presence: "present",
  healthStatus: "HEALTH_STATUS_HEALTHY",
  openDispatches: 0,
  maxTasks: 2,
  activeTasks: 0,
  queuedTasks: 0,
  errorRate: 0,
  averageLatencyMs: 0,
  availableTools: [],
  degradedTools: [],
  firstSeenAt: "2026-05-01T10:00:00.000Z",
  heardAt: "2026-05-01T10:00:00.000Z",
  leaseExpiresAt: "2026-05-01T10:01:00.000Z",
  consecutiveInvalidResults: 0,
  quarantine: null,
  probation: null,
  draining: null,
};

describe("who is able now", () => {
  test.each([
    [{}, "clear", "Free"],
    [{ openDispatches: 1 }, "clear", "At work"],
    [{ openDispatches: 2 }, "clear", "Full"],
    [{ maxTasks: 0 }, "unlit", "Takes no work"],
    [{ openDispatches: 9, maxTasks: null }, "clear", "At work"],
    [{ healthStatus: "HEALTH_STATUS_DEGRADED" }, "caution", "Degraded"],
    [{ healthStatus: "HEALTH_STATUS_UNHEALTHY", presence: "draining" }, "caution", "Unhealthy"],
    [{ presence: "draining" }, "unlit", "Finishing, takes no more"],
    [{ presence: "away", healthStatus: "HEALTH_STATUS_UNHEALTHY" }, "unlit", "Away"],
    [{ presence: "quarantined" }, "danger", "Quarantined"],
  ] as const)("%j shows %s: %s", (change, aspect, word) => {
    expect(abilityOf({ ...instance, ...change })).toEqual({ aspect, word });
  });

  test("those that can be given work are counted, with the places they have left", () => {
    const away: Instance = { ...instance, presence: "away" };
    expect(countAble([instance, { ...instance, openDispatches: 3 }, away])).toEqual({
      able: 2,
      all: 3,
      free: 2,
    });
  });

  test("says nothing of places where one that can be given work says no number", () => {
    expect(countAble([instance, { ...instance, maxTasks: null }])).toEqual({
      able: 2,
      all: 2,
      free: undefined,
    });
  });
});

test("load, latency and errors in words", () => {
  expect([loadInWords(instance), loadInWords({ openDispatches: 3, maxTasks: null })]).toEqual([
    "0 of 2",
    "3",
  ]);
  expect([null, 0, 850, 1_240, 180_000].map(latencyInWords)).toEqual([
    "not said",
    "not said",
    "850 ms",
    "1.2 s",
    "3 min",
  ]);
  expect([null, 0, 0.0523, 1].map(errorsInWords)).toEqual(["not said", "0 %", "5.2 %", "100 %"]);
});

const at = (minutes: number) => Date.parse("2026-11-19T06:00:00.000Z") + minutes * 60_000;

const said = (presence: "present" | "quarantined" | "away", readAt: number, now: number) =>
  heartbeatsInWords(
    { presence, heardAt: new Date(at(0)).toISOString(), leaseExpiresAt: new Date(at(1)).toISOString() },
    { readAt: at(readAt), now: at(now) },
  );

test("who was there when the list was read reports in time; of who is away the time grows", () => {
  expect(said("present", 0.5, 9)).toBe("in time");
  expect(said("quarantined", 0.5, 9)).toBe("in time");
  expect(said("present", 0.01, 0.02)).toBe("in time, just now");
  expect(said("quarantined", 0.01, 0.7)).toBe("in time, 42 s ago");
  expect(said("present", 0.5, -3)).toBe("in time");
  expect(said("quarantined", 1.5, 9)).toBe("none for 9 minutes");
  expect(said("away", 0.4, 0.5)).toBe("none for less than a minute");
  expect(said("away", 2, 150)).toBe("none for 2 hours 30 minutes");
});
