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
