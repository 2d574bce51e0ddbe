import { setTimeout as pause } from "node:timers/promises";
import { randomUUID } from "node:crypto";
import { createKey, readSapTranscript, revokeKey, type SapExchange } from "@signalbox/engine";
import {
  askedBy,
  openTestEngine,
  type SapDoorUnderTest,
  type SapSender,
  sapSuite,
  sapWorld,
  seedTenant,
  taskFor,
} from "@signalbox/engine/testing";
import { isFinal } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  canEndRedis,
  isRedisHere,
  redisMissing,
  startRedis,
  type TestRedis,
} from "../testing/redis-server.ts";
import { openSender, type SapRedisSender } from "../testing/sap-redis-sender.ts";
import { until } from "../testing/until.ts";
import { GROUP, MOST_UNREAD } from "./names.ts";
import { openSapStreams, type SapStreams } from "./open.ts";

const CLAIM_AFTER_MS = 900;

type Sender = SapSender | "viewer" | "north" | "silent" | "revoked";
let redis: TestRedis;
let opened: Awaited<ReturnType<typeof openTestEngine>>;
let world: Awaited<ReturnType<typeof sapWorld>>;
const nodes: SapStreams[] = [];
const senders = new Map<Sender, SapRedisSender>();
const failures: unknown[] = [];
const of = (who: Sender): SapRedisSender => {
  const found = senders.get(who);
  if (found === undefined) throw new Error(`nobody is called ${who}`);
  return found;
};

beforeAll(async () => {
  if (!isRedisHere) {
    console.warn(`SAP over Redis Streams was not tried: it ${redisMissing}.`);
    return;
  }
  redis = await startRedis();
  opened = await openTestEngine();
  const { engine } = opened;
  world = await sapWorld(engine);
  const [admin, north] = [askedBy("admin"), askedBy("admin", "north")];
  const keyed = async (
    who: Sender,
    { asked = admin, role = "operator", packIds = undefined as string[] | undefined },
  ) => {
    const { key } = await createKey(engine, asked, { label: who, role, ...(packIds && { packIds }) });
    return [who, { tenantId: asked.caller.tenantId, keyId: key.keyId }] as const;
  };
  await seedTenant(engine.database, "north");
  const keys = [
    await keyed("operator", {}),
    await keyed("prime", { role: "agent", packIds: ["prime"] }),
    await keyed("viewer", { role: "viewer" }),
    await keyed("north", { asked: north }),
    await keyed("silent", {}),
    await keyed("revoked", {}),
  ];
  await revokeKey(engine, admin, keys.at(-1)?.[1].keyId ?? "");
  const streams = keys.map(([, stream]) => stream);
  for (let count = 0; count < 2; count += 1)
    nodes.push(
      openSapStreams({
        engine: count === 0 ? engine : await opened.another(),
        url: redis.url,
        streams,
        claimAfterMs: CLAIM_AFTER_MS,
        onFailure: (error, what) => failures.push([what, error]),
      }),
    );
  for (const [who, stream] of keys)
    senders.set(who, await openSender(redis.url, stream, { reads: who !== "silent" }));
}, 60_000);

afterAll(async () => {
  if (!isRedisHere) return;
  for (const sender of senders.values()) await sender.stop();
  for (const node of nodes) await node.close();
  await world.stop();
  await opened.end();
  await redis.stop();
});

const door: SapDoorUnderTest = {
  name: "Redis Streams",
  get engine() {
    return opened.engine;
  },
  submit: (from, task) => of(from).submit(task),
  result: async (from, taskId) => {
    const { result, nack } = await of(from).read(taskId);
    if (nack !== undefined) expect(nack.error.code).toBe("NOT_FOUND");
    return result;
  },
};

const codeOf = ({ nack }: SapExchange) => nack?.error.code;

const pendingIn = async ({ client, tasks }: SapRedisSender): Promise<number> =>
  (await client.xPending(tasks, GROUP)).pending;

describe.skipIf(!isRedisHere)("SAP V2.0", () => {
  sapSuite("Redis Streams", () => door);
});

describe.skipIf(!isRedisHere)("§10 over Redis Streams", () => {
  test("every Result is told once and in order, to who submitted, with its ids, and nothing is left behind", async () => {
    const task = taskFor("consult.align");
    await of("prime").submit(task);
    await until(() =>
      of("prime")
        .told(task.taskId)
        .some(({ status }) => isFinal(status)),
    );
    await pause(300);
    const { results } = await readSapTranscript(opened.engine, askedBy("operator"), task.taskId);
    expect(of("prime").told(task.taskId)).toEqual(results.map(({ result }) => result));
    expect(of("operator").told(task.taskId)).toEqual([]);
    const ids = { task_id: task.taskId, correlation_id: task.correlationId };
    const about = of("prime").heard.filter(({ fields }) => fields["task_id"] === task.taskId);
    expect(about.map(({ fields }) => fields)).toEqual(about.map(() => expect.objectContaining(ids)));
    expect([await of("prime").client.xLen(of("prime").tasks), await pendingIn(of("prime"))]).toEqual([0, 0]);
  });

  test("who speaks is the stream's key: its role, its tenant, and nobody once it is revoked", async () => {
    const task = taskFor("consult.align");
    expect(codeOf(await of("revoked").submit(task))).toBe("UNAUTHORIZED");
    expect(codeOf(await of("revoked").read(task.taskId))).toBe("UNAUTHORIZED");
    expect(codeOf(await of("viewer").submit(task))).toBe("FORBIDDEN");
    await of("operator").submit(task);
    expect(codeOf(await of("north").read(task.taskId))).toBe("NOT_FOUND");
    expect(codeOf(await of("north").submit(task))).toBe("NOT_FOUND");
  });

  test("what is no task is refused by name, once, and holds up nothing", async () => {
    const { ask } = of("operator");
    const deep = `${'{"a":'.repeat(60)}1${"}".repeat(60)}`;
    const wrong: Record<string, string>[] = [
      { hello: "1" },
      { task: "{}", read: randomUUID() },
      { task: "{" },
      { task: deep },
      { task: JSON.stringify({ ...taskFor("ask"), payload: { much: "x".repeat(1_100_000) } }) },
      { task: "\u0000" },
      { task: "[]" },
    ];
    const answers = await Promise.all(wrong.map((fields) => ask(fields)));
    expect(answers.map(({ nack }) => nack?.error.code)).toEqual(wrong.map(() => "INVALID_TASK"));
    expect(answers[0]?.nack?.error.details.violations).toMatchObject([{ field: "task", rule: "required" }]);
    expect((await of("operator").submit(taskFor("consult.align"))).ack).toBeDefined();
    expect(await pendingIn(of("operator"))).toBe(0);
  });

  test("what a process had read when it ended is taken up by another; what ends each of them is given up", async () => {
    const { client, tasks, say, replies } = of("operator");
    const task = taskFor("consult.align");
    // As a process that reads faster than those at work here, and ends.
    const script = `
local id = redis.call('XADD', KEYS[1], '*', 'task', ARGV[2])
redis.call('XREADGROUP', 'GROUP', ARGV[1], 'ended', 'COUNT', 1, 'STREAMS', KEYS[1], '>')
for _ = 2, tonumber(ARGV[3]) do redis.call('XCLAIM', KEYS[1], ARGV[1], 'ended', 0, id, 'RETRYCOUNT', ARGV[3]) end
return id`;
    const leave = async (sent: unknown, times: number): Promise<string> => {
      const told = await client.eval(script, {
        keys: [tasks],
        arguments: [GROUP, JSON.stringify(sent), String(times)],
      });
      return typeof told === "string" ? told : "";
    };
    const left = await leave(task, 1);
    const poison = await leave(taskFor("consult.align"), 5);
    await until(() => replies.has(left) && replies.has(poison));
    expect(replies.get(left)?.ack?.taskId).toBe(task.taskId);
    expect(replies.get(poison)?.nack?.error).toMatchObject({
      code: "INTERNAL",
      message: expect.stringContaining("5 times"),
    });
    expect(await pendingIn(of("operator"))).toBe(0);
    expect((await of("operator").ask({ task: JSON.stringify(task) })).ack?.taskId).toBe(task.taskId);
    await say({ read: task.taskId });
  });

  test("a sender that reads no answers is asked for no more questions, and its neighbour is", async () => {
    const { client, answers, tasks, say } = of("silent");
    const fill = `for at = 1, tonumber(ARGV[1]) do redis.call('XADD', KEYS[1], '99999999999999-' .. at, 'answer', '{}') end`;
    await client.eval(fill, { keys: [answers], arguments: [String(MOST_UNREAD)] });
    await pause(700);
    const id = await say({ read: randomUUID() });
    await of("operator").read(randomUUID());
    await pause(700);
    expect([await client.xLen(tasks), await client.xLen(answers)]).toEqual([1, MOST_UNREAD]);
    await client.del(answers);
    await until(async () => (await client.xLen(answers)) === 1);
    expect(await client.xRange(answers, "-", "+")).toMatchObject([{ message: { reply_to: id } }]);
  });
});

/** Sends as a program would: what Redis did not take is sent again, and so is what was not answered in time. */
async function sendFor(milliseconds: number, inTheMiddle: () => Promise<void>) {
  const sent: string[] = [];
  const sender = of("operator");
  const end = Date.now() + milliseconds;
  const middle = pause(milliseconds / 3).then(inTheMiddle);
  while (Date.now() < end) {
    const task = taskFor("consult.align");
    sent.push(task.taskId);
    await until(() =>
      sender.say({ task: JSON.stringify(task) }).then(
        () => true,
        () => false,
      ),
    );
    await pause(15);
  }
  await middle;
  return sent;
}

describe.skipIf(!canEndRedis)("a Redis that ends", () => {
  test("and comes back with what it had: nothing is lost, nothing is begun twice, each Result is told once", async () => {
    const before = of("operator").heard.length;
    const sent = await sendFor(2_000, async () => {
      await redis.kill();
      await pause(500);
      await redis.comeBack("what it had");
    });
    expect(sent.length).toBeGreaterThan(10);
    const { told, heard } = of("operator");
    await until(() => sent.every((taskId) => told(taskId).some(({ status }) => isFinal(status))));
    await pause(500);
    for (const taskId of sent) {
      const { results } = await readSapTranscript(opened.engine, askedBy("operator"), taskId);
      expect(told(taskId)).toEqual(results.map(({ result }) => result));
    }
    const acks = heard.slice(before).flatMap(({ answer }) => answer.ack?.taskId ?? []);
    for (const taskId of sent) expect(acks).toContain(taskId);
    expect(await pendingIn(of("operator"))).toBe(0);
  });

  test("and comes back with nothing: who asks again is answered, and what was decided meanwhile is told", async () => {
    const task = taskFor("consult.align", {}, { pressureLevel: "instant" });
    expect((await of("operator").submit(task)).ack).toBeDefined();
    await redis.kill();
    await redis.comeBack("nothing");
    const { told } = of("operator");
    await until(() => told(task.taskId).some(({ status }) => isFinal(status)));
    await until(() => of("operator").client.isReady);
    expect((await of("operator").submit(task)).ack?.taskId).toBe(task.taskId);
    expect((await of("operator").read(task.taskId)).result?.status).toBe("SUCCEEDED");
  });
});

test.skipIf(!isRedisHere)("nothing failed but the way to Redis", () => {
  expect(failures.filter((one) => !/reaching Redis|over Redis/.test(String(one)))).toEqual([]);
});
