import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queriesOf } from "../database.ts";
import { openTestDatabase } from "../testing/index.ts";
import {
  forgetKeptAnswers,
  insertKeptAnswers,
  type NewKeptAnswer,
  takeRequestName,
  tenantsWithExpiredAnswers,
} from "./kept-answers.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

const answerOf = (tenantId: string, requestKey: string, change: Partial<NewKeptAnswer> = {}) => ({
  tenantId,
  actorId: "ada",
  requestKey,
  digest: "ab".repeat(32),
  answer: `{"of":"${requestKey}"}`,
  pipelineId: null,
  ...change,
});
const keep = (...answers: NewKeptAnswer[]) =>
  opened.database.inTenants(
    answers.map(({ tenantId }) => tenantId),
    (tx) => insertKeptAnswers(tx, answers),
  );
const find = (tenantId: string, requestKey: string) =>
  opened.database.inTenants([tenantId], (tx) =>
    takeRequestName(tx, { tenantId, actorId: "ada", requestKey }),
  );
const expire = (tenantId: string) =>
  opened.database.inTenants([tenantId], (tx) =>
    queriesOf(tx).execute(sql`update signalbox.kept_answers set expires_at = now() - interval '1 second'`),
  );

test("an answer is found under its tenant's name and no other's", async () => {
  await keep(answerOf("found-a", "one"));
  expect(await find("found-a", "one")).toMatchObject({ answer: `{"of":"one"}`, pipeline: null });
  expect(await find("found-b", "one")).toBeUndefined();
});

test("what is written under a name that is taken undoes its transaction", async () => {
  await keep(answerOf("taken", "one"));
  await expect(keep(answerOf("taken", "one", { answer: "{}" }))).rejects.toThrow("had not taken");
  expect(await find("taken", "one")).toMatchObject({ answer: `{"of":"one"}` });
});

test("an answer that has expired is found no more, and its name is free", async () => {
  await keep(answerOf("expired", "one"));
  await expire("expired");
  expect(await find("expired", "one")).toBeUndefined();
  await keep(answerOf("expired", "one", { answer: `{"of":"later"}` }));
  expect(await find("expired", "one")).toMatchObject({ answer: `{"of":"later"}` });
});

const kept = (tenantId: string) =>
  opened.database.inTenants([tenantId], (tx) =>
    queriesOf(tx).execute<{ request_key: string; answer: string }>(
      sql`select request_key, answer from signalbox.kept_answers where tenant_id = ${tenantId}`,
    ),
  );
/** As an older version wrote it. */
const keepPlainly = (tenantId: string, requestKey: string) =>
  opened.database.inTenants([tenantId], (tx) =>
    queriesOf(tx).execute(
      sql`insert into signalbox.kept_answers (tenant_id, actor_id, request_key, digest, answer)
        values (${tenantId}, 'ada', ${requestKey}, decode(${"ab".repeat(32)}, 'hex'), '{"of":"before"}')`,
    ),
  );

test("D21 a key is written as a hash of the name, another for each caller and tenant, and as it was sent nowhere", async () => {
  const secret = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  await keep(
    answerOf("hashed", secret, { answer: "{}" }),
    answerOf("hashed", secret, { answer: "{}", actorId: "bea" }),
    answerOf("hashed-too", secret, { answer: "{}" }),
  );
  const rows = [...(await kept("hashed")), ...(await kept("hashed-too"))];
  expect(new Set(rows.map(({ request_key: key }) => key)).size).toBe(3);
  for (const { request_key: key } of rows) expect(key).toMatch(/^sha256 [\da-f]{64}$/);
  expect(await find("hashed", secret)).toBeDefined();
  const [stored] = rows;
  expect(await find("hashed", stored?.request_key.replace(" ", "") ?? "")).toBeUndefined();
});

test("what an older version kept under the key itself is found until it expires, and its name is not free before", async () => {
  await keepPlainly("upgraded", "one");
  expect(await find("upgraded", "one")).toMatchObject({ answer: `{"of":"before"}`, pipeline: null });
  expect(await find("upgraded", "two")).toBeUndefined();
  await expire("upgraded");
  expect(await find("upgraded", "one")).toBeUndefined();
  await keep(answerOf("upgraded", "one", { answer: `{"of":"later"}` }));
  expect(await find("upgraded", "one")).toMatchObject({ answer: `{"of":"later"}` });
  expect((await kept("upgraded")).map(({ request_key: key }) => key === "one")).toEqual(
    expect.arrayContaining([true, false]),
  );
});

test("where versions side by side kept both, the first to be kept is the answer", async () => {
  await keep(answerOf("both", "one", { answer: `{"of":"first"}` }));
  await opened.database.inTenants(["both"], (tx) =>
    queriesOf(tx).execute(
      sql`update signalbox.kept_answers set expires_at = expires_at - interval '1 minute'`,
    ),
  );
  await keepPlainly("both", "one");
  expect(await find("both", "one")).toMatchObject({ answer: `{"of":"first"}` });
});

test("the sweep removes what has expired, a bounded number at once, and leaves the rest", async () => {
  await keep(answerOf("swept", "one"), answerOf("swept", "two"), answerOf("kept", "one"));
  await expire("swept");
  const tenants = await tenantsWithExpiredAnswers(opened.database, 100);
  expect(tenants).toContain("swept");
  expect(tenants).not.toContain("kept");
  const forget = () =>
    opened.database.inTenants(["swept", "kept"], (tx) => forgetKeptAnswers(tx, ["swept", "kept"], 1));
  expect([await forget(), await forget(), await forget()]).toEqual([1, 1, 0]);
  expect(await tenantsWithExpiredAnswers(opened.database, 100)).not.toContain("swept");
  expect(await find("kept", "one")).toBeDefined();
});
