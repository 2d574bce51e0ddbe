import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase } from "../testing/index.ts";
import { earlierSapCacheRecords, insertSapCacheRecords, newestSapCacheRecords } from "./sap-cache.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
});
afterAll(() => opened.end());

const digest = createHash("sha256").digest("hex");
const key = (tenantId: string, cacheKey = "k", sapVersion = "2.0") => ({ tenantId, cacheKey, sapVersion });
const store = (...rows: [at: ReturnType<typeof key>, named: string][]) =>
  opened.database.inTenants(["north", "south"], (tx) =>
    insertSapCacheRecords(
      tx,
      rows.map(([at, named]) =>
        Object.assign({}, at, {
          taskId: randomUUID(),
          producer: "p",
          alignment: "VALID",
          fingerprint: digest,
          digest,
          record: JSON.stringify({ named }),
        }),
      ),
    ),
  );

test("SAP-48 of each key the newest, and behind it the seven before, the newer first; another key's, tenant's or version's are none", async () => {
  for (let count = 1; count <= 10; count += 1) await store([key("north"), `n${count}`]);
  await store([key("south"), "s1"], [key("north", "other"), "o1"], [key("north", "k", "3.0"), "v1"]);
  await store([key("south"), "s2"]);
  const asked = [key("north"), key("south"), key("north", "none")];
  const found = (read: typeof newestSapCacheRecords) =>
    opened.database.inTenants(["north", "south"], async (tx) =>
      (await read(tx, asked)).map(({ record }) => (JSON.parse(record) as { named: string }).named),
    );
  expect(new Set(await found(newestSapCacheRecords))).toEqual(new Set(["n10", "s2"]));
  const earlier = await found(earlierSapCacheRecords);
  expect(earlier.filter((named) => named.startsWith("n"))).toEqual(
    [9, 8, 7, 6, 5, 4, 3].map((count) => `n${count}`),
  );
  expect(earlier.filter((named) => !named.startsWith("n"))).toEqual(["s1"]);
  expect(
    await opened.database.inTenants(["south"], (tx) => newestSapCacheRecords(tx, [key("north")])),
  ).toEqual([]);
});
