import { randomBytes } from "node:crypto";
import { createTestDatabase } from "@signalbox/testkit";
import { expect, test } from "vitest";
import { exampleWorld } from "./testing/example-world.ts";
import type { Yard } from "./testing/fuzz/door.ts";
import { findings } from "./testing/fuzz/findings.ts";
import { liveNames } from "./testing/fuzz/live-names.ts";
import { readCorpus } from "./testing/fuzz/corpus.ts";
import { fuzz } from "./testing/fuzz/run.ts";
import { alarmsIn, serverMemory } from "./testing/fuzz/server-memory.ts";
import { readDocument } from "./testing/open-api.ts";
import { restClient } from "./testing/rest-client.ts";
import { startProcess } from "./testing/server-process.ts";
import { bearer, createKey } from "./testing/test-server.ts";

/** Bodies and frames: a tenth of a million where nobody waits for it; CONTRIBUTING.md has the command for more. */
const usual = process.env["CI"] === "true" ? 100_000 : 5_000;
const requests = Number(process.env["SIGNALBOX_FUZZ_REQUESTS"] ?? usual);
const seed = Number(process.env["SIGNALBOX_TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
/**
 * The first quarter meets every door's code for the first time, which is then loaded and compiled; so do 2,500 where a quarter
 * is less. After 1,250 the process goes on to hold 7 MB more, and after 2,500 nothing.
 */
const first = Math.max(requests / 4, 2_500);
const parts = [first, ...[1, 2, 3].map(() => Math.max(0, requests - first) / 3)];
/** What the process may hold more of at the end than after the first part: over a million, 8 bytes a request. */
const growth = 6 << 20;

test(
  `${requests} fuzzed bodies and frames over all doors break nothing and leave nothing behind (seed ${seed})`,
  async ({ onTestFinished }) => {
    const database = await createTestDatabase();
    const adminKey = randomBytes(24).toString("hex");
    const server = startProcess({
      DATABASE_URL: database.url,
      SIGNALBOX_BOOTSTRAP_KEY: adminKey,
      LOG_LEVEL: "warn",
      NODE_OPTIONS: "--inspect=127.0.0.1:0",
    });
    onTestFinished(async () => {
      server.kill("SIGKILL");
      await server.ended;
      await database.dispose();
    });
    const { origin, port } = await server.ready;
    const { operations } = readDocument(await (await fetch(`${origin}/openapi.json`)).json());
    const signInToken = /sign-in#([\w-]+)/.exec(server.output())?.[1] ?? "";
    const world = exampleWorld({ origin, adminKey, signInToken, appUrl: database.appUrl }, operations);
    await world.prepare();
    const keyOf = async (role: "agent" | "operator" | "admin", tenantId = "default") =>
      bearer(await createKey(database.appUrl, role, tenantId));
    const live = liveNames();
    const yard: Yard = {
      port: Number(port),
      corpus: readCorpus(operations),
      live,
      findings: findings(),
      credentials: [
        {},
        bearer("nobodys-key"),
        bearer(adminKey),
        await keyOf("agent"),
        await keyOf("operator"),
        await keyOf("admin", "elsewhere"),
      ],
    };
    const memory = await serverMemory(server);
    const held: number[] = [];
    const sent: Record<string, number> = {};
    for (const [part, count] of parts.entries()) {
      for (const [door, answered] of await fuzz(yard, seed + part * 1_000_003, Math.ceil(count))) {
        sent[door] = (sent[door] ?? 0) + answered;
      }
      held.push(await memory.held());
    }
    memory.close();
    console.info("fuzz", { seed, sent, held });

    expect(yard.findings.list()).toEqual([]);
    expect(alarmsIn(server.errors())).toEqual([]);
    expect((held.at(-1) ?? 0) - (held[0] ?? 0)).toBeLessThan(growth);
    const admin = restClient({ origin }, bearer(adminKey));
    expect((await admin("GET", "/readyz")).status).toBe(200);
    expect((await admin("GET", "/v1/audit?limit=1")).status).toBe(200);
    server.kill("SIGTERM");
    expect(await server.ended).toBe(0);
  },
  120_000 + requests * 15,
);
