import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queriesOf, type BatchTransaction } from "../database.ts";
import { DatabaseError } from "../database-error.ts";
import { openTestDatabase } from "../testing/index.ts";
import { samplePipeline, sampleStage } from "../testing/sample-rows.ts";
import { loadPipelines } from "./load-pipelines.ts";
import type { PipelineKey } from "./keys.ts";
import { lockPipelines } from "./lock-pipelines.ts";
import { closeEscalations, openEscalations } from "./write-escalations.ts";
import { insertPipelines, insertTasks, updatePipelines } from "./write-pipelines.ts";
import { insertStages, updateStages } from "./write-stages.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

const inBoth = <T>(work: (tx: BatchTransaction) => Promise<T>) =>
  opened.database.inTenants(["west", "east"], work);
const exact = String.raw`{ "b": 1.0,"a":"\u0000 ' \\ ü 😀" }`;

const create = (...ids: string[]) =>
  inBoth(async (tx) => {
    const keys = ids.flatMap((pipelineId) => ["east", "west"].map((tenantId) => ({ tenantId, pipelineId })));
    await Promise.all([
      insertTasks(
        tx,
        keys.map((key) => Object.assign({ task: exact, plan: `{"of":"${key.tenantId}"}` }, key)),
      ),
      insertPipelines(
        tx,
        keys.map(({ tenantId, pipelineId }) => samplePipeline(tenantId, pipelineId, { state: exact })),
      ),
      insertStages(
        tx,
        keys.flatMap(({ tenantId, pipelineId }) => [
          sampleStage(tenantId, pipelineId, 1),
          sampleStage(tenantId, pipelineId, 0),
        ]),
      ),
    ]);
    return keys;
  });

test("a batch across tenants is read back as it was written, documents to the byte", async () => {
  const keys = await create("whole");
  await inBoth((tx) =>
    openEscalations(
      tx,
      [2, 1, 3].map((number) => ({
        tenantId: "east",
        pipelineId: "whole",
        number,
        stageId: null,
        cause: "gate",
        taskType: "paint",
        packId: null,
        refusal: null,
        escalation: `{"number":${number}}`,
      })),
    ),
  );
  await inBoth((tx) =>
    closeEscalations(tx, [{ tenantId: "east", pipelineId: "whole", number: 3, closing: "{}" }]),
  );
  const found = await inBoth((tx) => loadPipelines(tx, keys));
  expect(found.toSorted((a, b) => a.tenantId.localeCompare(b.tenantId))).toEqual(
    ["east", "west"].map((tenantId) => ({
      tenantId,
      pipelineId: "whole",
      revision: 1,
      traceId: "trace-whole",
      templateId: "painting",
      templateVersion: "1.0.0",
      state: exact,
      task: exact,
      plan: `{"of":"${tenantId}"}`,
      stages: [
        { stageOrder: 0, state: `{"stage":0}` },
        { stageOrder: 1, state: `{"stage":1}` },
      ],
      escalations: tenantId === "east" ? [`{"number":1}`, `{"number":2}`] : [],
    })),
  );
});

test("a batch loads and locks nothing of a tenant that is not in it", async () => {
  await create("foreign");
  const key = { tenantId: "east", pipelineId: "foreign" };
  await opened.database.inTenants(["west"], async (tx) => {
    expect((await lockPipelines(tx, [key])).locked).toEqual([]);
    expect(await loadPipelines(tx, [key])).toEqual([]);
    expect(
      await updatePipelines(tx, [{ ...samplePipeline("east", "foreign"), expectedRevision: 1 }]),
    ).toEqual([expect.objectContaining(key)]);
  });
});

test("the time comes also where nothing was locked, and is the database's", async () => {
  const { now, locked } = await inBoth((tx) => lockPipelines(tx, [{ tenantId: "east", pipelineId: "none" }]));
  expect(locked).toEqual([]);
  expect(Number.isInteger(now)).toBe(true);
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000);
});

test("an update that expected another revision changes nothing and is told", async () => {
  const keys = await create("guarded");
  const changes = keys.map(({ tenantId, pipelineId }) =>
    Object.assign(samplePipeline(tenantId, pipelineId, { revision: 5, dueAt: 1_900_000_000_123 }), {
      expectedRevision: tenantId === "east" ? 1 : 4,
    }),
  );
  const missed = await inBoth((tx) => updatePipelines(tx, changes));
  expect(missed).toEqual([expect.objectContaining({ tenantId: "west", pipelineId: "guarded" })]);
  const found = await inBoth((tx) =>
    queriesOf(tx).execute(
      sql`select tenant_id, revision, (extract(epoch from due_at) * 1000)::float8 as due from signalbox.pipelines
        where pipeline_id = 'guarded' order by 1`,
    ),
  );
  expect(found).toEqual([
    { tenant_id: "east", revision: 5, due: 1_900_000_000_123 },
    { tenant_id: "west", revision: 1, due: null },
  ]);
});

/** As whoever asks for locks does: one that was overtaken begins anew. */
async function untilInTurn<T>(work: (tx: BatchTransaction) => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await inBoth(work);
    } catch (error) {
      if (!(error instanceof DatabaseError && error.fault === "OVERTAKEN")) throw error;
    }
  }
}

/** In a transaction of its own, which does something before it asks for the lock. */
const change = (own: PipelineKey, before: () => Promise<void> = () => Promise.resolve()) =>
  inBoth(async (tx) => {
    await queriesOf(tx).execute(sql`select now()`);
    await before();
    const { locked } = await lockPipelines(tx, [own]);
    const revision = locked[0]?.revision ?? 0;
    const row = samplePipeline(own.tenantId, own.pipelineId, { revision: revision + 1 });
    expect(await updatePipelines(tx, [{ ...row, expectedRevision: revision }])).toEqual([]);
  });

describe("of two that want one pipeline", () => {
  const key = { tenantId: "east", pipelineId: "raced" };

  test("the second waits, and then sees what the first one left", async () => {
    await create("raced");
    const release = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const first = inBoth(async (tx) => {
      await lockPipelines(tx, [key]);
      held.resolve();
      await release.promise;
      await updatePipelines(tx, [
        { ...samplePipeline("east", "raced", { revision: 2 }), expectedRevision: 1 },
      ]);
    });
    await held.promise;
    const second = inBoth((tx) => lockPipelines(tx, [key]));
    const skipping = await inBoth((tx) =>
      lockPipelines(tx, [key, { tenantId: "west", pipelineId: "raced" }], { skipLocked: true }),
    );
    expect(skipping.locked).toEqual([{ tenantId: "west", pipelineId: "raced", revision: 1 }]);
    release.resolve();
    await first;
    expect((await second).locked).toEqual([{ ...key, revision: 2 }]);
  });

  test("one that has a lower number does not change what the other left: it begins anew", async () => {
    const [own, other] = await create("numbered");
    if (own === undefined || other === undefined) throw new Error("nothing was created");
    const begun = Promise.withResolvers<void>();
    const numbered = Promise.withResolvers<void>();
    const first = change(own, async () => {
      begun.resolve();
      await numbered.promise;
    });
    await begun.promise;
    const late = inBoth(async (tx) => {
      await queriesOf(tx).execute(sql`select pg_sleep(0.01)`);
      await lockPipelines(tx, [other]);
      numbered.resolve();
      await first;
      return lockPipelines(tx, [own]);
    });
    await expect(late).rejects.toMatchObject({ fault: "OVERTAKEN" });
    await change(own);
  });

  test("batches that name the same ones in any order never wait in a circle", async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `circle-${index}`);
    const keys = await create(...ids);
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, turn) =>
        untilInTurn(async (tx) => {
          const { locked } = await lockPipelines(tx, turn % 2 === 0 ? keys : keys.toReversed());
          return updatePipelines(
            tx,
            locked.map(({ tenantId, pipelineId, revision }) =>
              Object.assign(samplePipeline(tenantId, pipelineId, { revision: revision + 1 }), {
                expectedRevision: revision,
              }),
            ),
          );
        }),
      ),
    );
    expect(outcomes.flat()).toEqual([]);
    const after = await inBoth((tx) => lockPipelines(tx, keys));
    expect(new Set(after.locked.map(({ revision }) => revision))).toEqual(new Set([13]));
  });
});

test("stages change where they are named and nowhere else", async () => {
  await create("staged");
  await inBoth((tx) =>
    updateStages(tx, [sampleStage("east", "staged", 1, { taskType: "varnish", claimableAt: 1000 })]),
  );
  const found = await inBoth((tx) =>
    queriesOf(tx).execute(sql`
      select tenant_id, stage_order from signalbox.stages
      where pipeline_id = 'staged' and task_type = 'varnish' and claimable_at = to_timestamp(1)`),
  );
  expect(found).toEqual([{ tenant_id: "east", stage_order: 1 }]);
});

test("a document that is empty is refused before it is sent", async () => {
  await expect(
    inBoth((tx) => insertPipelines(tx, [samplePipeline("east", "shifted", { state: "" })])),
  ).rejects.toThrow("state is not JSON");
});

test("what is not JSON is refused, and the whole batch with it", async () => {
  await expect(
    inBoth((tx) =>
      insertPipelines(tx, [
        samplePipeline("east", "broken-1"),
        samplePipeline("east", "broken-2", { state: "{" }),
      ]),
    ),
  ).rejects.toThrow("state is not JSON");
});
