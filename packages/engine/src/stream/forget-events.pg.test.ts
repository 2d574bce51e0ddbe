import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asking, openTestSystem, pack, register, type TestSystem } from "../testing/test-system.ts";
import { feedCursor } from "./fed-event.ts";
import { forgetOldEvents } from "./forget-events.ts";
import { openSubscription } from "./subscription.ts";

let opened: TestSystem;
beforeAll(async () => {
  opened = await openTestSystem();
});
afterAll(() => opened.end());

test("STREAM-8 what is older than the feed is kept goes, and who stood before it is told what to do", async () => {
  const { system, made } = opened;
  await register(system, [pack("old-1"), pack("old-2")]);
  await readRows(made.url, "alter table signalbox.events disable trigger user");
  await readRows(made.url, "update signalbox.events set recorded_at = now() - interval '31 days'");
  await readRows(made.url, "alter table signalbox.events enable trigger user");
  await register(system, [pack("young")]);
  await forgetOldEvents(system);
  const kept = await readRows(made.url, "select payload from signalbox.events");
  expect(kept.map(({ payload }) => String(payload))).toEqual([expect.stringContaining("young")]);
  const asked = asking("viewer");
  const after = feedCursor("north", { transaction: "0", ordinal: -1 });
  await expect(openSubscription(system, asked, { topic: "registry", after })).rejects.toMatchObject({
    code: "CURSOR_EXPIRED",
  });
  const [horizon] = await readRows(made.url, "select transaction, ordinal from signalbox.feed_horizons");
  const last = { transaction: String(horizon?.["transaction"]), ordinal: Number(horizon?.["ordinal"]) };
  const opening = openSubscription(system, asked, { topic: "registry", after: feedCursor("north", last) });
  await expect(opening).resolves.toMatchObject({ after: last });
});
