import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noLimits } from "@signalbox/api";
import { startEmbeddedPostgres } from "@signalbox/db";
import postgresClient from "postgres";
import { createLog } from "../src/log.ts";
import { start } from "../src/start.ts";
import { createKey, manifestJson } from "../src/testing/test-server.ts";

/**
 * What a page of the record costs over REST beside a look-up by a primary key over REST, in the same run:
 * `node bench/audit-search.ts 5000000` (entries; 200,000 where nothing is said) over fifty tenants and twelve event types.
 * Filled by Postgres itself, with nothing of it durable: only reading is measured.
 */
const ENTRIES = Number(process.argv[2] ?? 200_000);
const TENANTS = 50;
const ROUNDS = 101;
const CHUNK = 50_000;
const key = "a-key-for-the-bench-that-is-long-enough";

const directory = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
chmodSync(directory, 0o711);
const postgres = await startEmbeddedPostgres({ directory, durable: false });
const server = await start(
  {
    host: "127.0.0.1",
    port: 0,
    publicUrl: undefined,
    databaseUrl: postgres.url,
    databaseConnections: 18,
    role: "api",
    bootstrapKey: key,
    tenants: [],
    signInLink: "when-needed",
    oidc: undefined,
    dataDirectory: directory,
    refHosts: [],
    agentHosts: [],
    signingKey: undefined,
    redisUrl: undefined,
    sapStreams: [],
    traces: undefined,
    log: { level: "error", format: "json" },
    launched: false,
    byNpmStart: false,
    limits: noLimits,
    trustedProxies: [],
  },
  createLog({ level: "error" }, { write: (line) => process.stderr.write(line) }),
  new AbortController().signal,
);

/** Seventeen entries a pipeline, of which one is a person's and one stands beside it; every second is at a junction. */
const fillOf = (from: number, to: number) => `
  insert into signalbox.audit_entries
    (tenant_id, event_type, actor_type, actor_id, trace_id, pipeline_id, pack_id, payload)
  select 'tenant-' || n % ${TENANTS}, (array[1, 2, 10, 11, 20, 21, 30, 31, 40, 50, 51, 101])[n / ${TENANTS} % 12 + 1],
    case when n % 17 = 0 then 3 else 1 end, case when n % 17 = 0 then 'member-' || n % 40 else 'orchestrator' end,
    'trace-' || n / 850 || '-' || n % ${TENANTS},
    case when n % 17 <> 16 then 'pipeline-' || n / 850 || '-' || n % ${TENANTS} end, 'pack-' || n % 97,
    format('{"actor":{"type":"ACTOR_TYPE_SYSTEM","id":"orchestrator"},"action":"bench.entry","rationale":"the stage was %s at %s %s","snapshot":{"text":"%s"}}',
      case when n % 2 = 0 then 'green' else 'amber' end, case when n % 100 = 7 then 'junction' else 'station' end, n,
      repeat('why. ', 160))
  from generate_series(${from}::int, ${to}::int - 1) n order by n`;

async function fill(): Promise<void> {
  const sql = postgresClient(postgres.url, { max: 2, onnotice: () => undefined });
  const begun = performance.now();
  const chunks = Array.from({ length: Math.ceil(ENTRIES / CHUNK) }, (_, index) => index * CHUNK);
  // Postgres has two cores here; more would only wait for each other.
  const take = async (): Promise<void> => {
    for (let from = chunks.shift(); from !== undefined; from = chunks.shift())
      await sql.unsafe(fillOf(from, Math.min(ENTRIES, from + CHUNK)));
  };
  await Promise.all([take(), take()]);
  await sql`vacuum analyze signalbox.audit_entries`;
  await sql.end();
  console.log(
    `${ENTRIES.toLocaleString("en")} entries in ${((performance.now() - begun) / 1_000).toFixed(0)} s`,
  );
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
function get(path: string, ownKey: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request(
      new URL(path, server.url),
      { agent, headers: { authorization: `Bearer ${ownKey}` } },
      (answer) => {
        let said = "";
        answer.setEncoding("utf8").on("data", (text: string) => (said += text));
        answer.on("end", () =>
          answer.statusCode === 200
            ? resolve(said)
            : reject(new Error(`${path} answered ${answer.statusCode}: ${said}`)),
        );
      },
    );
    asked.on("error", reject).end();
  });
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    await work();
    times.push(performance.now() - begun);
  }
  return times.toSorted((one, other) => one - other)[ROUNDS >> 1] ?? Number.NaN;
}

const isPage = (value: unknown): value is { entries: readonly unknown[] } =>
  typeof value === "object" && value !== null && "entries" in value && Array.isArray(value.entries);

/** Of tenant 7, whose entries have the numbers 7, 57, 107 and so on. */
const single: Readonly<Record<string, string>> = {
  "no filter": "",
  "event type": "&eventType=AUDIT_EVENT_TYPE_ESCALATION_RESOLVED",
  actor: "&actor=member-7",
  "actor: orchestrator": "&actor=orchestrator",
  pack: "&packId=pack-7",
  pipeline: "&pipelineId=pipeline-3-7",
  "trace of no pipeline": "&traceId=trace-0-7",
  time: `&to=${new Date(Date.now() + 86_400_000).toISOString()}`,
};
const words: Readonly<Record<string, string>> = {
  "a rare word": `&q=${7 + TENANTS * 9}`,
  "a word in two": "&q=junction",
  "a common word": "&q=stage",
  "two words": "&q=amber%20station",
  "a word that is not there": "&q=lighthouse",
};

try {
  const ownKey = await createKey(postgres.url, "admin", "tenant-7");
  const registered = await fetch(new URL("/v1/packs", server.url), {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${ownKey}` },
    body: manifestJson(),
  });
  if (!registered.ok) throw new Error(await registered.text());
  await fill();
  const byKey = () => get("/v1/packs/senior-ts-dev/versions/1.0.0", ownKey);
  await median(byKey);
  const reference = await median(byKey);
  console.log(`${"primary key".padEnd(26)} ${reference.toFixed(2).padStart(7)} ms`);
  for (const [searches, most] of [[single, 4] as const, [words, 40] as const]) {
    for (const [name, query] of Object.entries(searches)) {
      const page = () => get(`/v1/audit?limit=50${query}`, ownKey);
      const said: unknown = JSON.parse(await page());
      const found = isPage(said) ? said.entries.length : Number.NaN;
      await median(page);
      const took = await median(page);
      console.log(
        `${name.padEnd(26)} ${took.toFixed(2).padStart(7)} ms  ${(took / reference).toFixed(1).padStart(5)} × (at most ${most})  ${found} entries`,
      );
    }
  }
} finally {
  agent.destroy();
  await server.stop(AbortSignal.abort());
  await postgres.stop();
  rmSync(directory, { recursive: true, force: true });
}
