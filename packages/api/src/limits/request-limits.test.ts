import { Code, ConnectError, createContextValues } from "@connectrpc/connect";
import { fastify } from "fastify";
import { expect, test } from "vitest";
import { onError } from "../problem.ts";
import { requestGate } from "../rpc/gate.ts";
import { requestKey } from "../rpc/interceptors.ts";
import { type Limit, type Limits, noLimits } from "./limits.ts";
import { createRequestLimits } from "./request-limits.ts";

const twice: Limit = { perSecond: 1, burst: 2, open: 2 };

function appWith(limits: Partial<Limits>, trustedProxies: string[] = []) {
  let now = 0;
  const pausing: (() => void)[] = [];
  let pauses = false;
  const meters = createRequestLimits(
    { ...noLimits, ...limits },
    () => now,
    (goOn) => void (pauses ? pausing.push(goOn) : goOn()),
  );
  const app = fastify({ trustProxy: trustedProxies.length > 0 && trustedProxies });
  app.setErrorHandler(onError);
  meters.watch(app);
  const waiting: (() => void)[] = [];
  app.get("/", async () => "here");
  app.get("/healthz", { config: { unlimited: true } }, async () => "alive");
  app.get("/keyed", (request, reply) => {
    meters.countCredential(request, request.ip);
    return reply.send("known");
  });
  const gate = requestGate({
    system: { readiness: { current: () => ({ status: "ready", checks: [], at: new Date(0) }) } },
    identification: {
      requireCaller: async (request) => {
        meters.countCredential(request, request.ip);
        return { tenantId: "default", actor: { type: "agent", id: "a" }, role: "agent", credential: "key" };
      },
      credentialOf: () => undefined,
    },
    limits: meters,
  });
  app.get("/called", (request) =>
    gate({ values: createContextValues().set(requestKey, request) }).then(
      () => "known",
      (thrown: unknown) => Code[ConnectError.from(thrown).code],
    ),
  );
  app.get("/poll", () => new Promise((resolve) => waiting.push(() => resolve("done"))));
  const ask = (remoteAddress: string, headers: Record<string, string> = {}, url = "/") =>
    app.inject({ url, remoteAddress, headers });
  const statuses = async (...asked: Parameters<typeof ask>[]) => {
    const codes: number[] = [];
    for (const one of asked) codes.push((await ask(...one)).statusCode);
    return codes;
  };
  const withPauses = () => (pauses = true);
  return {
    ask,
    statuses,
    waiting,
    pausing,
    withPauses,
    after: (milliseconds: number) => void (now += milliseconds),
  };
}

test("an address that asks too often is told so, and when to come back, and its neighbour is not", async () => {
  const { ask, statuses, after } = appWith({ address: twice });
  expect(await statuses(["10.0.0.1"], ["10.0.0.1"], ["10.0.0.1"], ["10.0.0.2"])).toEqual([
    200, 200, 429, 200,
  ]);
  const refused = await ask("10.0.0.1");
  expect(refused.headers).toMatchObject({
    "retry-after": "1",
    "content-type": expect.stringContaining("problem+json"),
  });
  expect(refused.json()).toMatchObject({ code: "RATE_LIMITED", status: 429 });
  after(1_000);
  expect(await statuses(["10.0.0.1"], ["10.0.0.1"])).toEqual([200, 429]);
});

test("whoever keeps the process running is answered, however often it asks", async () => {
  const { statuses } = appWith({ address: twice });
  const asked = Array.from({ length: 9 }, () => ["10.0.0.1", {}, "/healthz"] as [string, object, string]);
  expect(new Set(await statuses(...(asked as never[])))).toEqual(new Set([200]));
});

test("of IPv6 the first 64 bits are one address, and IPv4 in its clothes is itself", async () => {
  const { statuses } = appWith({ address: twice });
  expect(await statuses(["2001:db8:0:1::1"], ["2001:db8:0:1:ffff::2"], ["2001:db8:0:1::3"])).toEqual([
    200, 200, 429,
  ]);
  expect(await statuses(["2001:db8:0:2::1"], ["10.0.0.9"], ["::ffff:10.0.0.9"], ["10.0.0.9"])).toEqual([
    200, 200, 200, 429,
  ]);
});

const from = (address: string) => ({ "x-forwarded-for": address, forwarded: `for=${address}` });

test("nobody's word is taken for where a request came from, unless a setting names its proxy", async () => {
  const asked: [string, Record<string, string>][] = [1, 2, 3].map((one) => [
    "10.0.0.1",
    from(`192.0.2.${one}`),
  ]);
  expect(await appWith({ address: twice }).statuses(...asked)).toEqual([200, 200, 429]);
  expect(await appWith({ address: twice }, ["10.0.0.1"]).statuses(...asked)).toEqual([200, 200, 200]);
  expect(await appWith({ address: twice }, ["10.0.0.2"]).statuses(...asked)).toEqual([200, 200, 429]);
});

const through = (value: string): [string, Record<string, string>] => [
  "10.0.0.1",
  { "x-forwarded-for": value },
];

test("behind a proxy, the client's own part of the header is not believed, and what is no address is the proxy's", async () => {
  const { statuses } = appWith({ address: twice }, ["10.0.0.1"]);
  expect(
    await statuses(
      through("1.1.1.1, 192.0.2.1"),
      through("2.2.2.2, 192.0.2.1"),
      through("3.3.3.3, 192.0.2.1"),
    ),
  ).toEqual([200, 200, 429]);
  expect(await statuses(through("unknown"), through("_hidden"), through("x".repeat(5_000)))).toEqual([
    200, 200, 429,
  ]);
});

test("so many may be under way at a time, and who ends one may begin another", async () => {
  const { ask, waiting } = appWith({ address: { perSecond: 1_000, burst: 1_000, open: 2 } });
  const polls = [ask("10.0.0.1", {}, "/poll"), ask("10.0.0.1", {}, "/poll")];
  while (waiting.length < 2) await new Promise((resolve) => setImmediate(resolve));
  const refused = await ask("10.0.0.1");
  expect(refused.statusCode).toBe(429);
  expect(refused.headers["retry-after"]).toBe("1");
  expect(refused.json().detail).toContain("under way");
  expect((await ask("10.0.0.2")).statusCode).toBe(200);
  waiting[0]?.();
  await polls[0];
  expect((await ask("10.0.0.1")).statusCode).toBe(200);
  waiting[1]?.();
  await polls[1];
});

test.each([
  ["address", "/"],
  ["key", "/keyed"],
] as const)(
  "a refusal by %s takes its time, and who is let in is not kept waiting by it",
  async (kind, url) => {
    const { ask, pausing, withPauses } = appWith({ [kind]: twice });
    withPauses();
    for (const _ of [1, 2]) expect((await ask("10.0.0.1", {}, url)).statusCode).toBe(200);
    let answered = 0;
    const storm = [1, 2, 3].map(async () => {
      const { statusCode } = await ask("10.0.0.1", {}, url);
      answered += 1;
      return statusCode;
    });
    while (pausing.length < 3) await new Promise((resolve) => setImmediate(resolve));
    expect((await ask("10.0.0.2", {}, url)).statusCode).toBe(200);
    expect(answered).toBe(0);
    for (const goOn of pausing) goOn();
    expect(await Promise.all(storm)).toEqual([429, 429, 429]);
  },
);

test("a refusal by key takes its time over gRPC too, where it is no answer of status 429", async () => {
  const { ask, pausing, withPauses } = appWith({ key: twice });
  withPauses();
  for (const _ of [1, 2]) expect((await ask("10.0.0.1", {}, "/called")).body).toBe("known");
  const refused = ask("10.0.0.1", {}, "/called");
  while (pausing.length < 1) await new Promise((resolve) => setImmediate(resolve));
  pausing[0]?.();
  expect((await refused).body).toBe("ResourceExhausted");
});

test("what waits to be refused is bounded: a larger crowd is refused at once", async () => {
  const { ask, pausing, withPauses } = appWith({ address: twice });
  withPauses();
  for (const _ of [1, 2]) await ask("10.0.0.1");
  const held = Array.from({ length: 2_000 }, () => ask("10.0.0.1"));
  while (pausing.length < 2_000) await new Promise((resolve) => setImmediate(resolve));
  expect((await ask("10.0.0.1")).statusCode).toBe(429);
  for (const goOn of pausing) goOn();
  await Promise.all(held);
});
