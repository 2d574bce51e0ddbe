import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestDatabase } from "../testing/index.ts";
import { findPack, insertPack, listPacks, type NewPack, type PackCursor } from "./packs.ts";
import { ensureTenant, findTenant } from "./tenants.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  for (const tenantId of ["east", "west", "pages"]) {
    await opened.database.inTenant(tenantId, (tx) => ensureTenant(tx, { name: tenantId }));
  }
});
afterAll(() => opened.end());

const pack = (packId: string, packVersion = "1.0.0", manifest = `{ "packId":"${packId}" }`): NewPack => ({
  packId,
  packVersion,
  manifest,
  contentDigest: createHash("sha256").update(manifest).digest(),
  safetyTier: 2,
  supportedTaskTypes: ["paint", 'a "quoted", type', ""],
  registeredBy: "ada",
});
const insert = (tenantId: string, added: NewPack) =>
  opened.database.inTenant(tenantId, (tx) => insertPack(tx, added));

test("a pack is read back as it was written, its manifest to the byte", async () => {
  const written = await insert("east", pack("painter"));
  const found = await opened.database.inTenant("east", (tx) => findPack(tx, "painter", "1.0.0"));
  expect(found).toEqual(written);
  expect(found).toMatchObject(pack("painter"));
});

test("a version that exists is not written again, and the first one stays", async () => {
  await insert("east", pack("first", "1.0.0", '{"n":1}'));
  expect(await insert("east", pack("first", "1.0.0", '{"n":2}'))).toBeUndefined();
  expect(await opened.database.inTenant("east", (tx) => findPack(tx, "first", "1.0.0"))).toMatchObject({
    manifest: '{"n":1}',
  });
});

test("of two that register a version at once, one writes it and the other finds it", async () => {
  const outcomes = await Promise.all(
    ["1", "2"].map((number) =>
      opened.database.inTenant("east", async (tx) => ({
        inserted: await insertPack(tx, pack("raced", "1.0.0", number)),
        found: await findPack(tx, "raced", "1.0.0"),
      })),
    ),
  );
  const winners = outcomes.filter(({ inserted }) => inserted !== undefined);
  expect(winners).toHaveLength(1);
  expect(outcomes.map(({ found }) => found?.manifest)).toEqual([
    winners[0]?.inserted?.manifest,
    winners[0]?.inserted?.manifest,
  ]);
});

test("another tenant may have the same version, and neither learns of the other's", async () => {
  await insert("west", pack("shared"));
  expect(await opened.database.inTenant("east", (tx) => findPack(tx, "shared", "1.0.0"))).toBeUndefined();
  expect(await insert("east", pack("shared"))).toMatchObject({ packId: "shared" });
});

test("pages by cursor meet every pack once, newest first, those of one moment too", async () => {
  await opened.database.inTenant("pages", async (tx) => {
    for (const packId of "a b c d e f g h i j".split(" ")) {
      await insertPack(tx, pack(packId));
    }
  });
  await insert("pages", pack("z"));
  const seen: string[] = [];
  await opened.database.inTenant("pages", async (tx) => {
    let after: PackCursor | undefined;
    do {
      const page = await listPacks(tx, { limit: 4, after });
      seen.push(...page.packs.map(({ packId }) => packId));
      after = page.next;
    } while (after !== undefined);
  });
  expect(seen).toEqual("z j i h g f e d c b a".split(" "));
});

test("a tenant is made once", async () => {
  const made = await Promise.all(
    [1, 2].map(() => opened.database.inTenant("new", (tx) => ensureTenant(tx, { name: "New" }))),
  );
  expect(made.filter(Boolean)).toHaveLength(1);
  expect(await opened.database.inTenant("new", findTenant)).toMatchObject({ tenantId: "new", name: "New" });
});
