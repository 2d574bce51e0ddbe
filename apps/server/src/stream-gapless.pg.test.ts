import { setTimeout as pause } from "node:timers/promises";
import type { StreamEvent } from "@signalbox/contracts/stream";
import { type Database, insertEvents, type NewEvent, openDatabase } from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { createTestDatabase } from "@signalbox/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seededRandom } from "./testing/seeded-random.ts";
import { keyedClient, type StreamClient } from "./testing/stream-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const key = "a-key-of-both-nodes-long-enough-to-be-one";
let made: Awaited<ReturnType<typeof createTestDatabase>>;
let nodes: [TestServer, TestServer];
let database: Database;
beforeAll(async () => {
  made = await createTestDatabase();
  const node = () => startTestServer({ databaseUrl: made.url, bootstrapKey: key });
  nodes = [await node(), await node()];
  database = openDatabase({ url: made.appUrl, applicationName: "test", maxConnections: 8 });
});
afterAll(async () => {
  await database.close();
  for (const node of nodes) await node.dispose();
  await made.dispose();
});

const event = (data: object): NewEvent => ({
  tenantId: "default",
  pipelineId: null,
  kind: "pack.registered",
  payload: JSON.stringify(data),
});

class RolledBack extends Error {}

/** Transactions that overlap, commit in another order than they began in, and sometimes not at all. */
async function write(random: () => number, writer: string, transactions: number): Promise<string[]> {
  const committed: string[] = [];
  for (let number = 0; number < transactions; number += 1) {
    const names = [0, 1, 2].map((place) => `${writer}-${number}-${place}`);
    const [before, after] = [random() * 25, random() < 0.1];
    const done = await database
      .inTenants(["default"], async (tx) => {
        await insertEvents(
          tx,
          names.slice(0, 2).map((name) => event({ name })),
        );
        await pause(before);
        await insertEvents(
          tx,
          names.slice(2).map((name) => event({ name })),
        );
        if (after) throw new RolledBack();
        return true;
      })
      .catch((error: unknown) => {
        if (error instanceof RolledBack) return false;
        throw error;
      });
    if (done) committed.push(...names);
  }
  return committed;
}

const nameOf = ({ data }: StreamEvent): unknown => data["name"];

/** Reads a topic from a first cursor until it has heard so many, over connections that are cut at any moment. */
async function readCut(
  random: () => number,
  topic: string,
  first: string,
  enough: (names: readonly unknown[]) => boolean,
): Promise<{ names: unknown[] }> {
  const heard: StreamEvent[] = [];
  let connections = 0;
  // However soon all is written: who comes back is given neither less nor anything twice.
  while (connections < 3 || !enough(heard.map(nameOf))) {
    const node = nodes[random() < 0.5 ? 0 : 1];
    const client = await keyedClient(node, key).catch(() => undefined);
    if (client === undefined) {
      // That node is stopping: the other one has the same.
      await pause(20);
      continue;
    }
    connections += 1;
    client.send({ type: "subscribe", topic, after: heard.at(-1)?.cursor ?? first });
    const own = () => [...heard, ...client.all("event")];
    const until = Date.now() + 30 + random() * 300;
    while (Date.now() < until && !enough(own().map(nameOf))) await pause(10);
    client.socket.terminate();
    heard.push(...client.all("event"));
  }
  return { names: heard.map(nameOf) };
}

async function positionNow(): Promise<string> {
  const client = await keyedClient(nodes[0], key);
  await client.subscribe("tenant");
  client.socket.terminate();
  return client.all("subscribed")[0]?.cursor ?? "";
}

const follows = (names: readonly unknown[] = [], one: unknown, next: unknown): boolean =>
  names[names.indexOf(one) + 1] === next;

test("nothing is missing and nothing is double, whatever commits when and whichever connection or node is lost", async () => {
  const seed = Number(process.env["SIGNALBOX_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
  const chances = seededRandom(seed);
  const random = () => chances.next();
  const first = await positionNow();
  let committed: string[] | undefined;
  const writing = Promise.all([1, 2, 3, 4, 5, 6].map((number) => write(random, `w${number}`, 25)));
  const all = writing.then((written) => (committed = written.flat()));
  const enough = (names: readonly unknown[]) => committed !== undefined && names.length >= committed.length;
  const readers = ["tenant", "registry", "registry", "tenant"].map((topic) =>
    readCut(random, topic, first, enough),
  );
  await pause(300);
  // A node goes in the middle of it; its readers go on with the other.
  const stopped = nodes[1].stop();
  const [written, ...read] = await Promise.all([all, ...readers, stopped.then(() => undefined)]);
  const [one, ...others] = read.filter((reader) => reader !== undefined);
  expect({ seed, heard: new Set(one?.names), doubles: (one?.names.length ?? 0) - written.length }).toEqual({
    seed,
    heard: new Set(written),
    doubles: 0,
  });
  for (const other of others) expect({ seed, names: other.names }).toEqual({ seed, names: one?.names });
  // A transaction's events stay together, and in order.
  const apart = written.filter(
    (name, place) => place % 3 > 0 && !follows(one?.names, written[place - 1], name),
  );
  expect({ seed, apart }).toEqual({ seed, apart: [] });
}, 60_000);

const listening = async (count: number): Promise<StreamClient[]> =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const client = await keyedClient(nodes[0], key);
      await client.subscribe("registry");
      return client;
    }),
  );

test("a reader that does not read is cut, the others hear all, and it comes back to the rest", async () => {
  const [stalled, ...healthy] = await listening(5);
  stalled?.socket.pause();
  const text = "x".repeat(8_000);
  const batches = 100;
  for (let batch = 0; batch < batches; batch += 1) {
    const rows = Array.from({ length: 20 }, (_, place) => event({ batch, place, text }));
    await database.inTenants(["default"], (tx) => insertEvents(tx, rows));
  }
  await Promise.all(healthy.map((client) => client.wait("event", batches * 20)));
  stalled?.socket.resume();
  const closed = await stalled?.closed;
  expect([1006, 4408]).toContain(closed?.code);
  const had = stalled?.all("event") ?? [];
  expect(had.length).toBeLessThan(batches * 20);
  const back = await keyedClient(nodes[0], key);
  await back.subscribe("registry", had.at(-1)?.cursor ?? stalled?.all("subscribed")[0]?.cursor);
  await back.wait("event", batches * 20 - had.length);
  const cursors = [...had, ...back.all("event")].map(({ cursor }) => cursor);
  expect(cursors).toEqual(healthy[0]?.all("event").map(({ cursor }) => cursor));
  for (const { socket } of [...healthy, back]) socket.terminate();
}, 60_000);

test("who was let in by what counts no longer, or with another role, is sent away", async () => {
  const revoked = await keyedClient(nodes[0], await nodeKey("viewer"));
  const promoted = await keyedClient(nodes[0], await nodeKey("auditor"));
  const kept = await keyedClient(nodes[0], key);
  for (const client of [revoked, promoted, kept]) await client.subscribe("tenant");
  await readRows(made.url, "update signalbox.keys set revoked_at = now() where role = 'viewer'");
  await readRows(made.url, "update signalbox.keys set role = 'admin' where role = 'auditor'");
  expect(await revoked.closed).toMatchObject({ code: 4401 });
  expect(await promoted.closed).toMatchObject({ code: 4403 });
  expect(kept.socket.readyState).toBe(kept.socket.OPEN);
  kept.socket.terminate();
});

async function nodeKey(role: "viewer" | "auditor"): Promise<string> {
  const name = `the-key-of-a-${role}-that-is-long-enough`;
  await readRows(
    made.url,
    `insert into signalbox.keys (tenant_id, hash, prefix, label, role, created_by)
     values ('default', sha256('${name}'), 'x', '${role}', '${role}', 'test')`,
  );
  return name;
}
