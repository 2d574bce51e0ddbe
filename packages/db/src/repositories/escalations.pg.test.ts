import { afterAll, beforeAll, expect, test } from "vitest";
import { closeEscalations, openEscalations } from "../queries/write-escalations.ts";
import { everyPage } from "../testing/every-page.ts";
import { openTestDatabase } from "../testing/index.ts";
import {
  type EscalationCursor,
  findEscalation,
  listEscalations,
  type StoredEscalation,
} from "./escalations.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
const question = (tenantId: string, pipelineId: string, number: number) => ({
  tenantId,
  pipelineId,
  number,
  stageId: null,
  cause: "gate",
  escalation: `{"number":${number}}`,
});
beforeAll(async () => {
  opened = await openTestDatabase();
  await opened.database.inTenants(["east", "west"], (tx) =>
    openEscalations(tx, [
      question("east", "p", 1),
      question("east", "p", 2),
      question("east", "q", 1),
      question("west", "p", 1),
    ]),
  );
  await opened.database.inTenants(["east", "west"], async (tx) => {
    await openEscalations(tx, [question("east", "p", 10), question("east", "a", 1)]);
    await closeEscalations(tx, [
      { tenantId: "east", pipelineId: "p", number: 1, closing: `{"by":"ada"}` },
      { tenantId: "east", pipelineId: "a", number: 1, closing: "{}" },
    ]);
  });
});
afterAll(() => opened.end());

const listed = (tenantId: string, limit: number, open?: boolean) =>
  opened.database.inTenant(tenantId, async (tx) => {
    const rows = await everyPage<StoredEscalation, EscalationCursor>(async (after) => {
      const { escalations, next } = await listEscalations(tx, { limit, after, open });
      expect(escalations.length).toBeLessThanOrEqual(limit);
      return { rows: escalations, next };
    });
    return rows.map(({ pipelineId, number }) => `${pipelineId}${number}`);
  });

test.each([1, 2, 3, 100])(
  "pages of %d meet each of the tenant's questions once, newest first",
  async (limit) => {
    expect(await listed("east", limit)).toEqual(["p10", "a1", "q1", "p2", "p1"]);
    expect(await listed("east", limit, true)).toEqual(["p10", "q1", "p2"]);
    expect(await listed("east", limit, false)).toEqual(["a1", "p1"]);
    expect(await listed("west", limit)).toEqual(["p1"]);
  },
);

const find = (tenantId: string, number: number) =>
  opened.database.inTenant(tenantId, (tx) => findEscalation(tx, "p", number));

test("a question is found with its answer, by its own tenant alone", async () => {
  expect(await find("east", 1)).toMatchObject({
    cause: "gate",
    closing: `{"by":"ada"}`,
    closedAt: expect.any(Date),
  });
  expect(await find("east", 2)).toMatchObject({ closing: null, closedAt: null });
  expect(await find("west", 2)).toBeUndefined();
});
