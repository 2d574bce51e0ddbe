import type { AppRouter } from "@signalbox/api";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { startCutOff } from "./testing/cut-off.ts";
import {
  bearer,
  bodyOf,
  manifestJson,
  register,
  startTestServer,
  type TestServer,
} from "./testing/test-server.ts";

let server: TestServer;
let relay: Awaited<ReturnType<typeof startCutOff>>;
beforeAll(async () => {
  server = await startTestServer({
    via: async (url) => {
      relay = await startCutOff(url);
      return relay.url;
    },
  });
});
afterAll(async () => {
  await server.dispose();
  await relay.close();
});

test("READY-1 a database that is lost is told, answered with 503, and found again without a restart", async () => {
  const socket = createWSClient({ url: `${server.origin.replace("http", "ws")}/trpc` });
  const heard: string[] = [];
  const subscription = createTRPCClient<AppRouter>({
    links: [wsLink({ client: socket })],
  }).system.readiness.subscribe(undefined, { onData: ({ status }) => heard.push(status) });
  await vi.waitFor(() => expect(heard).toEqual(["ready"]), 10_000);

  await relay.cut();
  const refused = await register(server, manifestJson());
  expect(refused.headers.get("retry-after")).toBe("2");
  expect(await bodyOf(refused)).toMatchObject({ status: 503, code: "UNAVAILABLE" });
  await vi.waitFor(() => expect(heard).toEqual(["ready", "degraded"]), 10_000);
  const ready = await fetch(`${server.origin}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({
    status: "degraded",
    checks: expect.arrayContaining([{ name: "database", ok: false, reason: "the database does not answer" }]),
  });
  expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  const call = await fetch(`${server.origin}/vasini.agent.v1.ControlPlaneService/RegisterPack`, {
    method: "POST",
    headers: { "content-type": "application/json", ...bearer(server.adminKey) },
    body: "{}",
  });
  expect(await call.json()).toMatchObject({ code: "unavailable" });

  await relay.restore();
  await vi.waitFor(() => expect(heard).toEqual(["ready", "degraded", "ready"]), 15_000);
  expect((await register(server, manifestJson())).status).toBe(201);
  subscription.unsubscribe();
  await socket.close();
  const told = server.log().split("\n");
  const errors = told.filter((line) => line.includes(`"level":"error"`));
  expect(errors).toEqual([expect.stringContaining("the database is lost")]);
  expect(told.filter((line) => line.includes(`"stack"`) && !line.includes(`"level":"debug"`))).toEqual([]);
});
