import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TenantTransaction } from "../database.ts";
import { activeVersion, activeVersions, loadPublishedText } from "../queries/published-documents.ts";
import { readRegistryChanges } from "../queries/registry-changes.ts";
import { openTestDatabase } from "../testing/index.ts";
import {
  discardDraft,
  findActiveDocument,
  findDocument,
  insertDraft,
  listDocuments,
  publishDocument,
  updateDraft,
  type DocumentCursor,
  type DocumentKind,
} from "./documents.ts";
import { ensureTenant } from "./tenants.ts";

let opened: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  opened = await openTestDatabase();
  await within((tx) => ensureTenant(tx, { name: "east" }));
});
afterAll(() => opened.end());

const within = <T>(work: (tx: TenantTransaction) => Promise<T>): Promise<T> =>
  opened.database.inTenant("east", work);

describe.each<DocumentKind>(["routing-policy", "pipeline-templates"])("%s", (kind) => {
  const draft = (version: string) =>
    within((tx) => insertDraft(tx, kind, { version, document: "text", note: "", createdBy: "ada" }));
  const publish = (version: string) =>
    within((tx) => publishDocument(tx, kind, { version, publishedBy: "bob" }));

  test("a version is drafted once, edited by who saw its last edit, and discarded", async () => {
    expect(await draft("0.1")).toMatchObject({ version: "0.1", status: "draft", edit: 1, document: "text" });
    expect(await draft("0.1")).toBeUndefined();
    const edit = () =>
      within((tx) => updateDraft(tx, kind, { version: "0.1", edit: 1, document: "two", note: "n" }));
    const [one, other] = await Promise.all([edit(), edit()]);
    expect([one, other].filter(Boolean)).toMatchObject([{ edit: 2, document: "two" }]);
    expect(await within((tx) => discardDraft(tx, kind, { version: "0.1", edit: 1 }))).toBe(false);
    expect(await within((tx) => discardDraft(tx, kind, { version: "0.1", edit: 2 }))).toBe(true);
    expect(await within((tx) => findDocument(tx, kind, "0.1"))).toBeUndefined();
  });

  test("of versions that are published at once, all are and one is active", async () => {
    const versions = ["1.1", "1.2", "1.3", "1.4"];
    await Promise.all(versions.map(draft));
    const outcomes = await Promise.all(versions.map(publish));
    expect(outcomes.filter(Boolean)).toHaveLength(4);
    const { documents } = await within((tx) => listDocuments(tx, kind, { limit: 10 }));
    expect(documents.map(({ status }) => status).toSorted()).toEqual([
      "active",
      "retired",
      "retired",
      "retired",
    ]);
  });

  test("a published one is not edited, not published twice, and comes back by a roll back", async () => {
    await draft("2.0");
    await draft("2.1");
    expect(await publish("2.0")).toMatchObject({ published: { status: "active", publishedBy: "bob" } });
    expect(await publish("2.0")).toBeUndefined();
    expect(
      await within((tx) => updateDraft(tx, kind, { version: "2.0", edit: 1, document: "x", note: "" })),
    ).toBeUndefined();
    expect(await publish("2.1")).toMatchObject({ retired: "2.0" });
    expect(await publish("2.0")).toMatchObject({ retired: "2.1", published: { retiredAt: null } });
    expect(await within((tx) => findActiveDocument(tx, kind))).toMatchObject({ version: "2.0" });
    expect(await within((tx) => activeVersion(tx, "east", kind))).toBe("2.0");
    expect(await opened.database.inTenants(["east", "north"], (tx) => activeVersions(tx, kind))).toEqual(
      new Map([["east", "2.0"]]),
    );
    expect(await within((tx) => loadPublishedText(tx, "east", kind, "2.1"))).toBe("text");
  });

  test("pages by cursor meet every version once, newest first", async () => {
    const seen: string[] = [];
    let after: DocumentCursor | undefined;
    do {
      const page = await within((tx) => listDocuments(tx, kind, { limit: 2, after }));
      seen.push(...page.documents.map(({ version }) => version));
      after = page.next;
    } while (after !== undefined);
    expect(new Set(seen)).toHaveProperty("size", seen.length);
    expect(seen.slice(0, 2)).toEqual(["2.1", "2.0"]);
    expect(seen).toHaveLength(6);
  });
});

test("the registry's change tells of a publication, and names the policy", async () => {
  const [known] = await within((tx) => readRegistryChanges(tx, ["east"]));
  expect(known).toMatchObject({ tenantId: "east", policyVersion: "2.0" });
  expect(known?.change).toBeGreaterThan(4);
});
