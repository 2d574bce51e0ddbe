import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { manifest, plainAgent, failure, policy, prepare, task } from "./testing/plain-agent.ts";
import { type RestClient, restClient, withKey } from "./testing/rest-client.ts";
import { startProcess } from "./testing/server-process.ts";
import { bearer, startTestServer, type TestServer } from "./testing/test-server.ts";

let server: TestServer;
let node: TestServer;
let admin: RestClient;
beforeAll(async () => {
  server = await startTestServer();
  node = await startTestServer({
    via: () => Promise.resolve(server.databaseUrl),
    bootstrapKey: server.adminKey,
  });
  admin = withKey(server, server.adminKey);
  await prepare(admin);
});
afterAll(async () => {
  await node.dispose();
  await server.dispose();
});

let names = 0;
const fresh = () => ({ "idempotency-key": `request-${(names += 1)}` });
const submit = (call: RestClient, headers: Record<string, string>, body: object = task) =>
  call("POST", "/v1/tasks", { body, headers });
const began = async (): Promise<number> => {
  const pipelines = (await admin("GET", "/v1/pipelines?limit=100")).json.at("pipelines");
  return Array.isArray(pipelines) ? pipelines.length : Number.NaN;
};

describe("D22 a task under an Idempotency-Key", () => {
  test("ONCE-1 is begun once, however often and wherever it is sent at once", async () => {
    const headers = fresh();
    const before = await began();
    const other = withKey(node, server.adminKey);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, turn) => submit(turn % 2 === 0 ? admin : other, headers)),
    );
    const [first] = answers;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map(({ json }) => json.text("pipelineId"))).size).toBe(1);
    expect(first?.headers.get("location")).toBe(`/v1/pipelines/${first?.json.text("pipelineId")}`);
    expect(await began()).toBe(before + 1);
  });

  test("ONCE-2 is refused with another body, on another path and with another query", async () => {
    const headers = fresh();
    await submit(admin, headers);
    const other = { ...task, contract: { ...task.contract, title: "Say goodbye" } };
    for (const answer of [
      await submit(admin, headers, other),
      await admin("POST", "/v1/packs", { body: manifest, headers }),
      await admin("POST", "/v1/routing-policies?note=a", {
        body: policy.replace("1.0.0", "1.0.1"),
        headers: { "content-type": "application/yaml", ...headers },
      }),
    ]) {
      expect([answer.status, answer.json.at("code")]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    }
  });

  test("ONCE-3 says so when its pipeline failed", async () => {
    const headers = fresh();
    const template = await admin("POST", "/v1/pipeline-templates", {
      body: failFast,
      headers: { "content-type": "application/yaml" },
    });
    expect(template.status).toBe(201);
    await admin("POST", "/v1/pipeline-templates/2.0.0/publish");
    const agent = plainAgent(admin);
    const task2 = { ...task, templateId: "fails-fast" };
    const pipelineId = (await submit(admin, headers, task2)).json.text("pipelineId");
    await agent.beat();
    for (;;) {
      const envelope = await agent.take();
      await agent.report(failure(envelope));
      if (envelope.execution.dispatchId.startsWith(pipelineId)) break;
    }
    const again = await submit(admin, headers, task2);
    expect([again.status, again.json.at("code")]).toEqual([409, "IDEMPOTENT_RUN_FAILED"]);
    expect(again.json.text("detail")).toContain(pipelineId);
  });

  test("ONCE-4 is the caller's own: another caller, and another tenant, begin theirs under the same key", async () => {
    const headers = fresh();
    const mine = await submit(admin, headers);
    const theirs = await submit(withKey(server, await server.keyOf("operator")), headers);
    expect(theirs.status).toBe(201);
    expect(theirs.json.at("pipelineId")).not.toBe(mine.json.at("pipelineId"));
    const elsewhere = withKey(server, await server.keyOf("admin", "elsewhere"));
    expect(
      (await submit(elsewhere, headers, { ...task, templateId: undefined, taskType: "build" })).status,
    ).toBe(201);
    for (const key of ["", "two words", "x".repeat(256)]) {
      const unfit = await submit(admin, { "idempotency-key": key });
      expect([unfit.status, unfit.json.at("violations", 0, "field")]).toEqual([422, "Idempotency-Key"]);
    }
  });

  test("what is refused does nothing and keeps nothing: mended, it goes under the same key", async () => {
    const headers = fresh();
    const unknown = { ...task, templateId: "not-there-yet" };
    expect((await submit(admin, headers, unknown)).status).toBe(422);
    expect((await submit(admin, headers)).status).toBe(201);
  });
});

describe("D21 a secret that was sent as a key", () => {
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  const headers = { "idempotency-key": secret };
  const body = { ...manifest, packVersion: "6.0.0" };
  const sent = async () => [
    await submit(admin, headers),
    await admin("POST", "/v1/packs", { body, headers: { "idempotency-key": `${secret}!` } }),
  ];

  test("is in no column of any table, and the request is carried out once all the same", async () => {
    const before = await began();
    const first = await sent();
    expect(first.map(({ status }) => status)).toEqual([201, 201]);
    const tables = await readRows(
      server.databaseUrl,
      "select tablename from pg_tables where schemaname = 'signalbox'",
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { tablename } of tables) {
      const holding = `select count(*)::int as rows from signalbox."${String(tablename)}" t
        where row_to_json(t)::text like '%${secret}%'`;
      expect([tablename, ...(await readRows(server.databaseUrl, holding))]).toEqual([tablename, { rows: 0 }]);
    }
    const again = await sent();
    expect(again.map(({ json }) => json.value)).toEqual(first.map(({ json }) => json.value));
    expect(await began()).toBe(before + 1);
  });

  test("is answered as the first time where an older version kept the answer under the key itself", async () => {
    const old = { "idempotency-key": "from-before" };
    const first = await submit(admin, old);
    await readRows(
      server.databaseUrl,
      `update signalbox.kept_answers set request_key = 'from-before'
       where pipeline_id = '${first.json.text("pipelineId")}'`,
    );
    const before = await began();
    const again = await submit(withKey(node, server.adminKey), old);
    expect([again.status, again.json.value]).toEqual([201, first.json.value]);
    const another = await submit(admin, old, { ...task, deadline: undefined, refs: [] });
    expect([another.status, another.json.at("code")]).toEqual([409, "IDEMPOTENCY_KEY_REUSED"]);
    expect(await began()).toBe(before);
  });
});

describe("D22 what a person does under an Idempotency-Key", () => {
  test("a pause is carried out once; sent again after the resume it does not pause again", async () => {
    const pipelineId = (await submit(admin, {})).json.text("pipelineId");
    const [pausing, resuming] = [fresh(), fresh()];
    const pause = () =>
      admin("POST", `/v1/pipelines/${pipelineId}/pause`, { body: { note: "a" }, headers: pausing });
    const first = await pause();
    expect(first.status).toBe(200);
    const resumed = await admin("POST", `/v1/pipelines/${pipelineId}/resume`, { headers: resuming });
    expect(resumed.status).toBe(200);
    const again = await pause();
    expect([again.status, again.json.value]).toEqual([200, first.json.value]);
    const { json } = await admin("GET", `/v1/pipelines/${pipelineId}`);
    expect(json.at("pause")).toBeNull();
  });

  test("a draft and its publication are answered as the first time, whatever became of them", async () => {
    const yaml = { "content-type": "application/yaml" };
    const body = policy.replace('version: "1.0.0"', 'version: "3.0.0"');
    const [drafting, publishing] = [fresh(), fresh()];
    const draft = () => admin("POST", "/v1/routing-policies", { body, headers: { ...yaml, ...drafting } });
    const publish = () => admin("POST", "/v1/routing-policies/3.0.0/publish", { headers: publishing });
    const first = await draft();
    const published = await publish();
    const again = await draft();
    expect([again.status, again.json.value]).toEqual([201, first.json.value]);
    expect(again.headers.get("etag")).toBe(first.headers.get("etag"));
    await admin("POST", "/v1/routing-policies/1.0.0/publish");
    const republished = await publish();
    expect([republished.status, republished.json.value]).toEqual([200, published.json.value]);
    expect((await admin("GET", "/v1/routing-policies/active")).json.at("version")).toBe("1.0.0");
  });

  test("a pack is answered as new, as it was the first time", async () => {
    const headers = fresh();
    const body = { ...manifest, packVersion: "7.0.0" };
    const register = () => admin("POST", "/v1/packs", { body, headers });
    const [first, again] = [await register(), await register()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json.value).toEqual(first.json.value);
    expect((await admin("POST", "/v1/packs", { body })).status).toBe(200);
  });
});

/** Keeps answers from being written, so that who has claimed a name and done the work stands just before its commit. */
async function holdAnswers() {
  const text = "do $$ begin lock table signalbox.kept_answers in share mode; perform pg_sleep(60); end $$";
  const held = readRows(server.databaseUrl, text).catch(() => undefined);
  const waiting = async (): Promise<number> => {
    const [row] = await readRows(
      server.databaseUrl,
      `select count(*)::int as waiting from pg_locks
       where not granted and relation = 'signalbox.kept_answers'::regclass
         and pid in (select pid from pg_locks where locktype = 'advisory' and granted)`,
    );
    return Number(row?.["waiting"]);
  };
  const release = async () => {
    await readRows(
      server.databaseUrl,
      `select pg_cancel_backend(pid) from pg_locks
       where relation = 'signalbox.kept_answers'::regclass and mode = 'ShareLock' and granted`,
    );
    await held;
  };
  return { waiting, release };
}

test("D22 a process that is killed between the claim and the commit leaves nothing, and the request sent again takes effect once", async () => {
  const killed = startProcess({
    DATABASE_URL: server.databaseUrl,
    SIGNALBOX_BOOTSTRAP_KEY: server.adminKey,
    SIGNALBOX_ROLE: "api",
    LOG_LEVEL: "warn",
  });
  onTestFinished(async () => {
    killed.kill("SIGKILL");
    await killed.ended;
  });
  const there = restClient({ origin: (await killed.ready).origin }, bearer(server.adminKey));
  const [submitting, registering] = [fresh(), fresh()];
  // One goes through the committer, the other through a transaction of its own.
  const body = { ...manifest, packVersion: "8.0.0" };
  const register = (call: RestClient) => call("POST", "/v1/packs", { body, headers: registering });
  const before = await began();
  const hold = await holdAnswers();
  const unanswered = Promise.allSettled([submit(there, submitting), register(there)]);
  await expect.poll(hold.waiting).toBe(2);
  killed.kill("SIGKILL");
  expect((await unanswered).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  await killed.ended;
  await hold.release();

  // Sent again at once: the names are free when Postgres has found that the process is gone.
  const again = [await submit(admin, submitting), await register(admin)];
  expect(again.map(({ status }) => status)).toEqual([201, 201]);
  expect(await began()).toBe(before + 1);
  const third = [await submit(admin, submitting), await register(admin)];
  expect(third.map(({ json }) => json.value)).toEqual(again.map(({ json }) => json.value));
  expect(await began()).toBe(before + 1);
});

const failFast = `
pipeline_templates:
  version: "2.0.0"
  templates:
    - template_id: build-and-review
      name: Build
      stages:
        - { stage_id: build, task_type: build, required: true, context_propagation: { mode: NONE } }
      policy: { max_total_retries: 0, max_rejections: 1, pipeline_deadline: "30m", failure_strategy: FAIL_FAST }
    - template_id: fails-fast
      name: Fails fast
      stages:
        - { stage_id: build, task_type: build, required: true, context_propagation: { mode: NONE } }
      policy: { max_total_retries: 0, max_rejections: 1, pipeline_deadline: "30m", failure_strategy: FAIL_FAST }
`;
