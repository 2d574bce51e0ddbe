import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

let api: TestServer;
beforeAll(async () => {
  api = await startTestServer({ role: "api" });
});
afterAll(() => api.dispose());

const reading = z.object({
  status: z.string(),
  checks: z.array(z.object({ name: z.string(), ok: z.boolean(), reason: z.string().optional() })),
});

async function readiness({ origin }: TestServer) {
  const answer = await fetch(`${origin}/readyz`);
  const { status, checks } = reading.parse(await answer.json());
  return { code: answer.status, status, loops: checks.find(({ name }) => name === "loops") };
}

test("READY-5 a process that only serves says whether another one looks for what is due, and takes work in either case", async () => {
  const alone = {
    code: 200,
    status: "ready",
    loops: { name: "loops", ok: false, reason: expect.stringContaining("SIGNALBOX_ROLE engine or all") },
  };
  expect(await readiness(api)).toEqual(alone);

  const engine = await startTestServer({ role: "engine", via: async () => api.databaseUrl });
  const isHeard = async () => expect((await readiness(api)).loops).toEqual({ name: "loops", ok: true });
  await vi.waitFor(isHeard, { timeout: 10_000, interval: 100 });
  expect((await readiness(engine)).loops).toEqual({ name: "loops", ok: true });
  expect((await fetch(`${engine.origin}/v1/packs`)).status).toBe(404);
  const byKey = { headers: { authorization: `Bearer ${api.adminKey}` } };
  expect(
    (await fetch(`${api.origin}/v1/packs`, byKey)).status,
    "the other's bootstrap key is left alone",
  ).toBe(200);

  await engine.stop();
  await vi.waitFor(async () => expect(await readiness(api)).toEqual(alone), {
    timeout: 10_000,
    interval: 100,
  });
  expect(api.log()).toMatch(/"level":"warn".*no process looks for what is due/);
  await engine.dispose();
});
