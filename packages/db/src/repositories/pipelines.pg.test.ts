import { setTimeout as pause } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { queriesOf } from "../database.ts";
import { insertDispatches } from "../queries/write-dispatches.ts";
import { closeEscalations, openEscalations } from "../queries/write-escalations.ts";
import { insertPipelines, insertTasks } from "../queries/write-pipelines.ts";
import { everyPage } from "../testing/every-page.ts";
import { saysPhrases } from "../schema/pipeline-words.ts";
import * as schema from "../schema/pipelines.ts";
import { openTestDatabase } from "../testing/index.ts";
import { sampleDispatch, samplePipeline } from "../testing/sample-rows.ts";
import { findEscalation, listEscalations } from "./escalations.ts";
import { findPipeline, findPipelinesOfTrace, listPipelines, searchPipelines } from "./pipelines.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  // Those of one batch were begun at the same moment: only their ids tell them apart.
  for (const batch of [
    ["a", "c", "b"],
    ["e", "d"],
    ["f", "g"],
  ]) {
    await opened.database.inTenants(["east", "west"], (tx) =>
      insertPipelines(tx, [
        ...batch.map((id) =>
          samplePipeline("east", id, { status: id < "d" ? 2 : 4, traceId: batch.join("") }),
        ),
        samplePipeline("west", batch[0] ?? ""),
      ]),
    );
    // A caller's bound is a millisecond: two batches within one could not be told apart by it.
    await pause(2);
  }
});
afterAll(() => opened.end());

const listed = (tenantId: string, limit: number, status?: number) =>
  opened.database.inTenant(tenantId, async (tx) => {
    const rows = await everyPage<{ pipelineId: string }, Parameters<typeof listPipelines>[1]["after"]>(
      async (after) => {
        const page = await listPipelines(tx, { limit, after, status });
        expect(page.pipelines.length).toBeLessThanOrEqual(limit);
        return { rows: page.pipelines, next: page.next };
      },
    );
    return rows.map(({ pipelineId }) => pipelineId);
  });

test.each([1, 2, 3, 7, 100])(
  "pages of %d meet each of the tenant's pipelines once, newest first",
  async (limit) => {
    expect(await listed("east", limit)).toEqual(["g", "f", "e", "d", "c", "b", "a"]);
    expect(await listed("west", limit)).toEqual(["f", "e", "a"]);
  },
);

test.each([1, 2, 100])("with a status, in pages of %d, only those that have it", async (limit) => {
  expect(await listed("east", limit, 2)).toEqual(["c", "b", "a"]);
  expect(await listed("east", limit, 4)).toEqual(["g", "f", "e", "d"]);
  expect(await listed("east", limit, 9)).toEqual([]);
});

const found = (filter: Partial<Parameters<typeof listPipelines>[1]>) =>
  opened.database.inTenant("east", async (tx) => {
    const { pipelines } = await listPipelines(tx, { limit: 100, ...filter });
    return pipelines.map(({ pipelineId }) => pipelineId);
  });

test("a word finds what a word of it begins, in any case, and is never a pattern", async () => {
  const everyone = await found({});
  expect(await found({ text: "PAINT A DOOR" })).toEqual(everyone);
  expect(await found({ text: "doo pai" })).toEqual(everyone);
  expect(await found({ text: "paint the door" })).toEqual([]);
  expect(await found({ text: "oor" })).toEqual([]);
  expect(await found({ text: "B" })).toContain("b");
  for (const text of ["%", "_____________", "\\"]) expect(await found({ text })).toEqual([]);
});

const named = (text: string, filter: Partial<Parameters<typeof listPipelines>[1]> = {}) =>
  opened.database.inTenant("north", async (tx) => {
    const page = await listPipelines(tx, { limit: 100, ...filter, text });
    return page.pipelines.map(({ pipelineId }) => pipelineId);
  });

const own = (end: string) => `01a1f33${end}-2f6b-7c9e-8a10-5d0e9c3b7f42`;

const task = (end: string, sourceTaskId: string, taskTitle: string) =>
  samplePipeline("ids", own(end), { sourceTaskId, taskTitle });

const plain = (text: string) => text.replaceAll(/own\.|["\s]/g, "");

const asApp = (statement: string) =>
  opened.database.inTenant("north", (tx) => queriesOf(tx).execute(sql.raw(statement)));

describe("by what a task is called", () => {
  const long = `Größe ${"x".repeat(490)}`;
  const rows = [
    samplePipeline("north", "1a", {
      sourceTaskId: "TAS-114",
      taskTitle: "Mend the cart's rounding; twice",
      status: 2,
    }),
    samplePipeline("north", "1b", {
      sourceTaskId: "sap:0199e5a0-1e77-7000-8e11-0123456789ab",
      taskTitle: long,
    }),
    samplePipeline("north", "1c", { sourceTaskId: "TAS-1", name: "y".repeat(3_000) }),
    samplePipeline("south", "1a", { sourceTaskId: "TAS-114", taskTitle: "Mend the cart's rounding" }),
  ];
  beforeAll(async () => {
    await opened.database.inTenants(["north", "south"], async (tx) => {
      await insertPipelines(tx, rows);
      await insertTasks(
        tx,
        rows.map(({ tenantId, pipelineId }) => ({
          tenantId,
          pipelineId,
          plan: "{}",
          task: JSON.stringify({ contract: { title: `told to ${pipelineId}` } }),
        })),
      );
    });
  });
  test("it is found by words of its title and by its id, however they are written", async () => {
    for (const text of ["TAS-114", "tas 114", "114", "rounding MEND", "cart's", "cart s; twi", "1a"])
      expect([text, await named(text)]).toEqual([text, ["1a"]]);
    for (const text of ["größe", "SAP:0199E5A0", "sap:0199e5a0-1e77-7000-8e11-0123456789ab", "0199e5a0-1e7"])
      expect([text, await named(text)]).toEqual([text, ["1b"]]);
    expect(await named("TAS-1")).toEqual(["1c", "1a"]);
    expect(await named("TAS-1", { status: 2 })).toEqual(["1a"]);
    expect(await named("TAS-1", { limit: 1 })).toEqual(["1c"]);
    expect(await named("TAS-1", { packId: "nobody" })).toEqual([]);
  });

  test("what is typed as one is met as one, by both searches, and no short text meets a pipeline's own id", async () => {
    await opened.database.inTenants(["ids"], async (tx) => {
      await insertPipelines(tx, [
        task("1", "DEMO-0", "Order the demo"),
        task("2", "DEMO-07", "Mend 2 carts"),
        task("3", "DEMO-1", "Order 0815, then demo-1a"),
        task("4", "OTHER-1", "A demo"),
      ]);
      await insertDispatches(
        tx,
        ["1", "2", "3", "4"].map((end) =>
          Object.assign(sampleDispatch("ids", own(end)), { packId: "builder" }),
        ),
      );
    });
    const both = (text: string) =>
      opened.database.inTenant("ids", async (tx) => {
        const byIndex = await searchPipelines(tx, { words: text, most: 10 });
        const withPack = await listPipelines(tx, { limit: 10, packId: "builder", text });
        const byWalk = await searchPipelines(tx, { words: text, most: Math.max(1, byIndex.length) });
        expect(withPack.pipelines.map(({ pipelineId }) => pipelineId)).toEqual(byIndex);
        expect(byWalk).toEqual(byIndex);
        return byIndex.map((id) => id.charAt(7)).join("");
      });
    for (const [text, ends] of [
      ["DEMO-0", "21"],
      ["demo-07", "2"],
      ["0", "321"],
      ["0 demo", "321"],
      ["demo-1", "3"],
      ["1", "43"],
      ["0815 then", "3"],
      ["then-demo-1", "3"],
      ["demo-other", ""],
      ["1-a", ""],
      ["01a1f33", ""],
      ["01A1F332", "2"],
      ["01a1f332-2f6b", "2"],
      [own("3"), "3"],
      ["-", ""],
    ])
      expect([text, await both(text ?? "")]).toEqual([text, ends]);
  });

  test.each([
    "'",
    "\\",
    "' | 'tas",
    "tas:*",
    "tas & !mend",
    ":*",
    "'':*",
    "(",
    "!",
    "\u00a0",
    "🚂",
    "\\' | tas",
  ])("%j is text and no pattern", async (text) => {
    const words = text
      .toLowerCase()
      .split(/[^\p{L}\p{N}🚂\u00a0]+/u)
      .filter(Boolean);
    const said = (await named(text)).length > 0;
    expect(said).toBe(words.length > 0 && words.every((word) => ["tas", "mend"].includes(word)));
  });

  test("pages of one word meet each once", async () => {
    const met = await opened.database.inTenant("north", (tx) =>
      everyPage<{ pipelineId: string }, Parameters<typeof listPipelines>[1]["after"]>(async (after) => {
        const page = await listPipelines(tx, { limit: 1, after, text: "TAS" });
        return { rows: page.pipelines, next: page.next };
      }),
    );
    expect(met.map(({ pipelineId }) => pipelineId)).toEqual(["1c", "1a"]);
  });

  test("one that was begun before titles were kept has the beginning of its task's own", async () => {
    const shown = await opened.database.inTenant("north", (tx) => listPipelines(tx, { limit: 100 }));
    expect(shown.pipelines.map(({ pipelineId, taskTitle }) => [pipelineId, taskTitle])).toEqual([
      ["1c", "told to 1c"],
      ["1b", long],
      ["1a", "Mend the cart's rounding; twice"],
    ]);
  });

  test("a question is found by its task, and says which it is", async () => {
    const about = { stageId: null, cause: "gate", taskType: "", packId: null, refusal: null };
    const place = { tenantId: "north", ...about };
    await opened.database.inTenants(["north"], async (tx) => {
      await openEscalations(tx, [
        { ...place, pipelineId: "1a", number: 1, escalation: "{}" },
        { ...place, pipelineId: "1c", number: 1, escalation: "{}" },
      ]);
      await closeEscalations(tx, [{ tenantId: "north", pipelineId: "1c", number: 1, closing: "{}" }]);
    });
    await opened.database.inTenant("north", async (tx) => {
      const asked = (words: string, of: "open" | "any") =>
        searchPipelines(tx, { words, asked: of, most: 10 });
      expect(await asked("tas", "any")).toEqual(["1c", "1a"]);
      expect(await asked("tas", "open")).toEqual(["1a"]);
      expect(await asked("größe", "any")).toEqual([]);
      const { escalations } = await listEscalations(tx, { limit: 10, pipelineIds: ["1a"] });
      expect(escalations).toMatchObject([
        { pipelineId: "1a", sourceTaskId: "TAS-114", taskTitle: "Mend the cart's rounding; twice" },
      ]);
      expect(await findEscalation(tx, "1c", 1)).toMatchObject({ taskTitle: "told to 1c" });
    });
  });

  test("no tenant, and no batch of several, finds another's by its words", async () => {
    const { database } = opened;
    const search = (tenantId: string, words: string) =>
      database.inTenant(tenantId, (tx) => searchPipelines(tx, { words, most: 10 }));
    expect(await search("south", "tas")).toEqual(["1a"]);
    expect(await search("south", "twice")).toEqual([]);
    expect(await search("east", "tas")).toEqual([]);
    await database.inTenants(["north", "south"], async (tx) => {
      const rowsFound = await queriesOf(tx).execute(
        sql`select * from signalbox.search_pipelines('tas', null, null, null, null, null, null, 10)`,
      );
      expect(rowsFound).toHaveLength(0);
    });
  });

  test("the search and the list with a pack say one expression, and it and the trigger cut as what is asked for is cut", async () => {
    const punctuation = String.fromCharCode(...Array.from({ length: 94 }, (_, index) => 33 + index))
      .replaceAll(/[a-z0-9]/gi, "")
      .split("");
    expect(punctuation).toHaveLength(32);
    const title = punctuation.map((mark, index) => `${mark}w${index}`).join("");
    await opened.database.inTenants(["cut"], (tx) =>
      insertPipelines(tx, [samplePipeline("cut", "1", { taskTitle: title })]),
    );
    await opened.database.inTenant("cut", async (tx) => {
      const bodies = await queriesOf(tx).execute<{ body: string }>(
        sql`select prosrc as body from pg_proc where proname = 'search_pipelines'`,
      );
      const { sql: said } = new PgDialect().sqlToQuery(saysPhrases(schema.pipelines, ""));
      const expression = plain(said.replaceAll(/"signalbox"\."pipelines"\./g, ""))
        .replace(/signalbox\.pipeline_patterns\(\$\d::text\)/, "$$2")
        .replaceAll(/lower\(btrim\(\$\d::text\)\)/g, "$$11");
      expect(expression.length).toBeGreaterThan(100);
      expect(bodies.map(({ body }) => plain(body).split(expression).length)).toEqual([3]);
      for (const words of punctuation.map((_, index) => `w${index}`))
        expect(await searchPipelines(tx, { words, most: 2 })).toEqual(["1"]);
      // A page that is full is met by walking the newest, one that is not by the index: both cut alike.
      expect(await searchPipelines(tx, { words: title, most: 1 })).toEqual(["1"]);
      expect(await searchPipelines(tx, { words: title, most: 2 })).toEqual(["1"]);
    });
  });

  test("nobody reads the words but by the search, and nobody changes them", async () => {
    for (const statement of [
      "select 1 from signalbox.pipeline_words",
      "update signalbox.pipeline_words set words = ''",
      "delete from signalbox.pipeline_words",
    ])
      await expect(asApp(statement)).rejects.toMatchObject({ code: "42501" });
    await expect(
      asApp(
        "insert into signalbox.pipeline_words (tenant_id, pipeline_id, created_at, words) values ('south', '1a', now(), 'mine')",
      ),
    ).rejects.toMatchObject({ code: "42501" });
  });
});

test("a time bounds what is listed: its beginning is in it, its end is not", async () => {
  const [newest] = await opened.database.inTenant(
    "east",
    async (tx) => (await listPipelines(tx, { limit: 1 })).pipelines,
  );
  const at = newest?.createdAt ?? new Date(0);
  expect(await found({ from: at })).toEqual(["g", "f"]);
  expect(await found({ to: at })).toEqual(["e", "d", "c", "b", "a"]);
});

test("a pack finds what was sent to it", async () => {
  await opened.database.inTenants(["east"], (tx) =>
    insertDispatches(tx, [{ ...sampleDispatch("east", "d"), packId: "builder" }]),
  );
  expect(await found({ packId: "builder" })).toEqual(["d"]);
  expect(await found({ packId: "nobody" })).toEqual([]);
});

test("a pipeline is found by its id and by its trace, of its own tenant alone", async () => {
  const { database } = opened;
  const inWest = <T>(work: (tx: Parameters<typeof findPipeline>[0]) => Promise<T>) =>
    database.inTenant("west", work);
  expect(await database.inTenant("east", (tx) => findPipeline(tx, "b"))).toMatchObject({
    pipelineId: "b",
    status: 2,
  });
  expect(await inWest((tx) => findPipeline(tx, "b"))).toBeUndefined();
  const traced = await database.inTenant("east", (tx) => findPipelinesOfTrace(tx, "acb"));
  expect(traced.map(({ pipelineId }) => pipelineId)).toEqual(["a", "b", "c"]);
  expect(await inWest((tx) => findPipelinesOfTrace(tx, "acb"))).toEqual([]);
});
