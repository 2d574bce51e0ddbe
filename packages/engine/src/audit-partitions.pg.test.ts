import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepAuditPartitions } from "./audit-partitions.ts";
import type { Clock } from "./clock.ts";
import { openTestSystem, pack, register, type TestSystem } from "./testing/test-system.ts";
import { waitUntil } from "./testing/wait-until.ts";

let opened: TestSystem;
beforeAll(async () => {
  opened = await openTestSystem();
});
afterAll(() => opened.end());

test("D19 where the database's clock stands in a month that was not prepared, there is a record again within a minute", async () => {
  const { system, made } = opened;
  const beats: { everyMs: number; work: () => void }[] = [];
  const clock: Clock = {
    ...system.clock,
    repeat: (everyMs, work) => {
      beats.push({ everyMs, work });
      return () => undefined;
    },
  };
  const failures: unknown[] = [];
  keepAuditPartitions({ ...system, clock }, (reason) => void failures.push(reason));
  // As after a jump: of the present month nothing was made.
  const [month] = await readRows(
    made.url,
    `select to_char(now() at time zone 'UTC', '"signalbox.audit_entries_"YYYY_MM') as name`,
  );
  await readRows(made.url, `drop table ${String(month?.["name"])}`);
  await expect(register(system, [pack("early")])).rejects.toThrow(/no partition/);
  for (const { everyMs, work } of beats) if (everyMs <= 60_000) work();
  await waitUntil(async () => {
    const [found] = await readRows(
      made.url,
      `select to_regclass('${String(month?.["name"])}') is not null as there`,
    );
    return found?.["there"] === true;
  });
  await register(system, [pack("builder")]);
  expect(failures).toEqual([]);
});
