import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase } from "../testing/index.ts";
import { insertEvents } from "./insert-events.ts";
import { latestEvent, readEvents, type EventCursor } from "./read-events.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

const event = (tenantId: string, kind: string) => ({ tenantId, pipelineId: null, kind, payload: "{}" });
const write = (tenantId: string, ...kinds: string[]) =>
  opened.database.inTenants([tenantId], (tx) =>
    insertEvents(
      tx,
      kinds.map((kind) => event(tenantId, kind)),
    ),
  );
const read = (tenantId: string, after?: EventCursor, limit = 100) =>
  opened.database.inTenant(tenantId, (tx) => readEvents(tx, { after, limit }));
const kindsOf = ({ events }: Awaited<ReturnType<typeof read>>) => events.map(({ kind }) => kind);

test("a transaction's events keep their order, a second call goes on counting, and pages meet each once", async () => {
  await opened.database.inTenants(["paged"], async (tx) => {
    await insertEvents(tx, [event("paged", "a"), event("paged", "b")]);
    await insertEvents(tx, [event("paged", "c")]);
  });
  await write("paged", "d", "e");
  const seen: string[] = [];
  let page = await read("paged", undefined, 2);
  while (page.events.length > 0) {
    seen.push(...kindsOf(page));
    page = await read("paged", page.next, 2);
  }
  expect(seen).toEqual(["a", "b", "c", "d", "e"]);
  expect(await opened.database.inTenant("paged", latestEvent)).toEqual(page.next);
  expect(kindsOf(await read("another"))).toEqual([]);
});

test("an event whose transaction commits late is never passed by", async () => {
  const release = Promise.withResolvers<void>();
  const written = Promise.withResolvers<void>();
  const late = opened.database.inTenants(["late"], async (tx) => {
    await insertEvents(tx, [event("late", "first")]);
    written.resolve();
    await release.promise;
  });
  await written.promise;
  await write("late", "second");
  const early = await read("late");
  expect(kindsOf(early)).toEqual([]);
  release.resolve();
  await late;
  expect(kindsOf(await read("late", early.next))).toEqual(["first", "second"]);
});
