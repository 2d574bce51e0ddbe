import { readFileSync } from "node:fs";
import { AuditEventType } from "@signalbox/contracts";
import { type DocumentKind, documentKinds } from "@signalbox/core";
import { ensureTenant, listAuditEntries, readRegistryChanges } from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { System } from "../system.ts";
import { asking, openTestSystem, pack, register, tenantId, type TestSystem } from "../testing/test-system.ts";
import { createDocumentCache, type DocumentCache } from "./document-cache.ts";
import { createDraft, discardDraft, updateDraft } from "./drafts.ts";
import { publishDocument } from "./publish.ts";
import { checkDocument, getDocument, listDocuments } from "./reads.ts";

const fixture = (file: string) =>
  readFileSync(new URL(`../../../core/src/documents/fixtures/${file}`, import.meta.url), "utf8");
/** The specification's own files. */
const texts: Record<DocumentKind, string> = {
  "routing-policy": fixture("routing-policy.yaml"),
  "pipeline-templates": fixture("pipeline-templates.yaml"),
};
const specPacks = [
  "senior-python-dev",
  "senior-ts-dev",
  "generalist-dev",
  "qa-engineer",
  "security-reviewer",
];
const versioned = (kind: DocumentKind, version: string) =>
  texts[kind].replace('version: "1.0.0"', `version: "${version}"`);

let opened: TestSystem;
let system: System;
beforeEach(async () => {
  opened = await openTestSystem();
  ({ system } = opened);
});
afterEach(() => opened.end());

const operator = asking("operator");
const registerSpecPacks = () =>
  register(
    system,
    specPacks.map((packId) => pack(packId)),
  );
async function publish(kind: DocumentKind, version: string, from: System = system) {
  await createDraft(from, operator, kind, { text: versioned(kind, version) });
  return publishDocument(from, operator, kind, { version });
}
const statuses = async (kind: DocumentKind) => {
  const { documents } = await listDocuments(system, operator, kind, {});
  return documents.map(({ version, status }) => `${version} ${status}`).toSorted();
};
const eventNames = new Map<number, string>(
  Object.entries(AuditEventType).map(([name, number]) => [number, name]),
);
async function recorded(): Promise<string[]> {
  const { entries } = await system.database.inTenant(tenantId, (tx) => listAuditEntries(tx, { limit: 100 }));
  return entries
    .map(({ eventType }) => eventNames.get(eventType) ?? "")
    .filter((name) => /POLICY|TEMPLATE/.test(name))
    .toReversed();
}

const check = (text: string) => checkDocument(system, asking("viewer"), "routing-policy", text);
const readChange = async () => {
  const [seen] = await system.database.inTenants([tenantId], (tx) => readRegistryChanges(tx, [tenantId]));
  return seen;
};

describe.each(documentKinds)("%s", (kind) => {
  beforeEach(registerSpecPacks);

  test("DOC-1 the specification's file goes from draft to active as it stands, byte for byte", async () => {
    const { document, created } = await createDraft(system, operator, kind, { text: texts[kind] });
    expect(created).toBe(true);
    expect(document).toMatchObject({ version: "1.0.0", status: "draft", edit: 1, text: texts[kind] });
    const active = await publishDocument(system, operator, kind, { version: "1.0.0", edit: 1 });
    expect(active).toMatchObject({ status: "active", text: texts[kind], publishedBy: "operator" });
    expect(await getDocument(system, asking("viewer"), kind, "active")).toEqual(active);
    expect(await getDocument(system, asking("viewer"), kind, "1.0.0")).toEqual(active);
  });

  test("DOC-20 the same draft again is answered as the first time; another text is refused", async () => {
    await createDraft(system, operator, kind, { text: texts[kind] });
    expect((await createDraft(system, operator, kind, { text: texts[kind] })).created).toBe(false);
    await expect(
      createDraft(system, operator, kind, { text: `${texts[kind]}\n# more\n` }),
    ).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    const drafted = (await recorded()).filter((name) => name.endsWith("DRAFTED"));
    expect(drafted).toHaveLength(1);
  });

  test("DOC-21 of two who edit the same draft one is told of the other", async () => {
    await createDraft(system, operator, kind, { text: texts[kind] });
    const edits = await Promise.allSettled(
      ["# one\n", "# two\n"].map((more) =>
        updateDraft(system, operator, kind, { version: "1.0.0", edit: 1, text: texts[kind] + more }),
      ),
    );
    expect(edits.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(edits.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "VERSION_CONFLICT" },
    });
    expect(await getDocument(system, operator, kind, "1.0.0")).toMatchObject({ edit: 2 });
  });

  test("DOC-22 a draft is discarded; what was published is not, nor edited", async () => {
    await createDraft(system, operator, kind, { text: texts[kind] });
    await expect(discardDraft(system, operator, kind, { version: "1.0.0", edit: 2 })).rejects.toMatchObject({
      code: "VERSION_CONFLICT",
    });
    await discardDraft(system, operator, kind, { version: "1.0.0", edit: 1 });
    await expect(getDocument(system, operator, kind, "1.0.0")).rejects.toMatchObject({ code: "NOT_FOUND" });
    await publish(kind, "1.0.0");
    const change = { version: "1.0.0", edit: 1 };
    await expect(discardDraft(system, operator, kind, change)).rejects.toMatchObject({
      code: "INVALID_STATE",
    });
    await expect(
      updateDraft(system, operator, kind, { ...change, text: `${texts[kind]}# x\n` }),
    ).rejects.toMatchObject({ code: "INVALID_STATE" });
    expect((await getDocument(system, operator, kind, "1.0.0")).text).toBe(texts[kind]);
  });

  test("DOC-23 publishing retires the one before, and a retired one comes back, each on record", async () => {
    await publish(kind, "1.0.0");
    await publish(kind, "1.1.0");
    expect(await statuses(kind)).toEqual(["1.0.0 retired", "1.1.0 active"]);
    await publishDocument(system, operator, kind, { version: "1.0.0", note: "1.1.0 was a mistake" });
    expect(await statuses(kind)).toEqual(["1.0.0 active", "1.1.0 retired"]);
    expect((await getDocument(system, operator, kind, "active")).retiredAt).toBeNull();
    const short = kind === "routing-policy" ? "POLICY" : "TEMPLATE";
    expect(await recorded()).toEqual([
      `${short}_DRAFTED`,
      `${short}_PUBLISHED`,
      `${short}_DRAFTED`,
      `${short}_RETIRED`,
      `${short}_PUBLISHED`,
      `${short}_RETIRED`,
      `${short}_PUBLISHED`,
    ]);
    const before = await recorded();
    await publishDocument(system, operator, kind, { version: "1.0.0" });
    expect(await recorded()).toEqual(before);
  });

  test("DOC-23 the note of its first publication stands at a version, and no later one changes it", async () => {
    await createDraft(system, operator, kind, { text: texts[kind], note: "begun" });
    const noteOf = async () => (await getDocument(system, operator, kind, "1.0.0")).note;
    expect(await noteOf()).toBe("begun");
    await publishDocument(system, operator, kind, { version: "1.0.0", note: "for the review" });
    expect(await noteOf()).toBe("for the review");
    await publish(kind, "1.1.0");
    await publishDocument(system, operator, kind, { version: "1.0.0", note: "1.1.0 was a mistake" });
    expect(await noteOf()).toBe("for the review");
  });

  test("DOC-24 a publisher who saw another active version is told", async () => {
    await publish(kind, "1.0.0");
    await createDraft(system, operator, kind, { text: versioned(kind, "1.1.0") });
    await expect(
      publishDocument(system, operator, kind, { version: "1.1.0", replaces: null }),
    ).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    await publishDocument(system, operator, kind, { version: "1.1.0", replaces: "1.0.0" });
  });

  test("DOC-23 of many who publish at once all have their turn, and one version is active", async () => {
    const other = opened.another();
    const versions = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", "1.5.0"];
    for (const version of versions) {
      await createDraft(system, operator, kind, { text: versioned(kind, version) });
    }
    await Promise.all(
      versions.map((version, index) =>
        publishDocument(index % 2 === 0 ? system : other, operator, kind, { version }),
      ),
    );
    const now = await statuses(kind);
    expect(now.filter((one) => one.endsWith("active"))).toHaveLength(1);
    expect(now.filter((one) => one.endsWith("retired"))).toHaveLength(5);
    const names = await recorded();
    expect(names.filter((name) => name.endsWith("PUBLISHED"))).toHaveLength(6);
    expect(names.filter((name) => name.endsWith("RETIRED"))).toHaveLength(5);
  });

  test("DOC-26 a text with a secret is refused by its line, and kept nowhere", async () => {
    const token = `ghp_${"a8Zk3Lq0".repeat(4)}wXyZ`;
    const text = `${texts[kind]}# ${token}\n`;
    const refusal = await createDraft(system, operator, kind, { text }).catch((error: unknown) => error);
    const line = text.split("\n").length - 1;
    expect(refusal).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [{ field: `${line}:3`, rule: "secret" }],
    });
    expect(JSON.stringify(refusal)).not.toContain(token);
    expect(await statuses(kind)).toEqual([]);
  });

  test("D15 viewers read and do not draft; agents do neither; another tenant sees nothing", async () => {
    await publish(kind, "1.0.0");
    await expect(createDraft(system, asking("viewer"), kind, { text: texts[kind] })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(listDocuments(system, asking("agent"), kind, {})).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await system.database.inTenant("south", (tx) => ensureTenant(tx, { name: "south" }));
    const south = asking("admin", "south");
    expect((await listDocuments(system, south, kind, {})).documents).toEqual([]);
    await expect(getDocument(system, south, kind, "1.0.0")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  test("a list has pages, the newest first", async () => {
    for (const version of ["1.0.0", "1.1.0", "1.2.0"]) {
      await createDraft(system, operator, kind, { text: versioned(kind, version) });
    }
    const first = await listDocuments(system, operator, kind, { limit: 2 });
    const second = await listDocuments(system, operator, kind, { limit: 2, cursor: first.nextCursor });
    expect([...first.documents, ...second.documents].map(({ version }) => version)).toEqual([
      "1.2.0",
      "1.1.0",
      "1.0.0",
    ]);
    expect(second.nextCursor).toBeUndefined();
    await expect(listDocuments(system, operator, kind, { cursor: "x" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });
});

describe("a policy", () => {
  test("DOC-7 that names packs nobody registered is a draft, and is published when they are there", async () => {
    await createDraft(system, operator, "routing-policy", { text: texts["routing-policy"] });
    await register(system, [pack("qa-engineer"), pack("senior-python-dev"), pack("senior-ts-dev")]);
    const before = await recorded();
    const refusal = publishDocument(system, operator, "routing-policy", { version: "1.0.0" });
    await expect(refusal).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [
        { field: "10:25 routing_policy.routes[0].fallback_pack_id", rule: "unknown_pack" },
        { field: "19:26 routing_policy.routes[2].allowed_pack_ids[0]", rule: "unknown_pack" },
        { field: "20:26 routing_policy.routes[2].preferred_pack_id", rule: "unknown_pack" },
        { field: "33:23 routing_policy.defaults.fallback_pack_id", rule: "unknown_pack" },
      ],
    });
    expect(await statuses("routing-policy")).toEqual(["1.0.0 draft"]);
    expect(await recorded()).toEqual(before);
    await register(system, [pack("generalist-dev"), pack("security-reviewer")]);
    await publishDocument(system, operator, "routing-policy", { version: "1.0.0" });
    expect(await statuses("routing-policy")).toEqual(["1.0.0 active"]);
  });

  test("is checked without being kept", async () => {
    expect((await check(texts["routing-policy"])).faults.map(({ rule }) => rule)).toContain("unknown_pack");
    await registerSpecPacks();
    const { findings, ...told } = await check(texts["routing-policy"]);
    expect(told).toEqual({ version: "1.0.0", faults: [] });
    expect(findings.map(({ rule }) => rule)).toContain("single_pack");
    const lost = `${texts["routing-policy"]}\nsap_policy: { capabilities: [{ capability: lost, template_id: nowhere }] }\n`;
    expect((await check(lost)).findings).toContainEqual(
      expect.objectContaining({
        rule: "unserved_capability",
        path: ["sap_policy", "capabilities", 0, "template_id"],
      }),
    );
    expect((await check(texts["routing-policy"].replace('"60s"', '"5 minutes"'))).faults).toMatchObject([
      { line: 29, rule: "format" },
    ]);
    expect(await statuses("routing-policy")).toEqual([]);
  });

  test("raises the registry's change, which says which version is active", async () => {
    await registerSpecPacks();
    const before = await readChange();
    await publish("routing-policy", "1.0.0");
    const after = await readChange();
    expect(before?.policyVersion).toBeNull();
    expect(after?.policyVersion).toBe("1.0.0");
    expect(after?.change).toBeGreaterThan(before?.change ?? 0);
  });
});

const stage = (id: string, after: string) =>
  `        - { stage_id: "${id}", task_type: "t", required: true, depends_on_stages: [${after}] }`;

describe("templates", () => {
  test("DOC-13 with a circle, an unreachable stage and an id twice are refused whole, each fault by its line", async () => {
    const lines = [
      "pipeline_templates:",
      '  version: "1.0.0"',
      "  templates:",
      '    - template_id: "circle"',
      '      name: "Circle"',
      "      policy: { failure_strategy: PAUSE }",
      "      stages:",
      stage("one", '"two"'),
      stage("two", '"one"'),
      stage("three", '"two"'),
      '    - template_id: "circle"',
      '      name: "Twice"',
      '      policy: { failure_strategy: PAUSE, pipeline_deadline: "5 minutes" }',
      "      stages:",
      stage("one", ""),
      stage("one", ""),
    ];
    const refusal = createDraft(system, operator, "pipeline-templates", { text: lines.join("\n") });
    await expect(refusal).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [
        { field: expect.stringMatching(/^8:\d+ .*depends_on_stages$/), rule: "cycle" },
        { field: expect.stringMatching(/^10:\d+ .*depends_on_stages$/), rule: "unreachable" },
        { field: expect.stringMatching(/^11:\d+ .*template_id$/), rule: "duplicate" },
        { field: expect.stringMatching(/^13:\d+ .*pipeline_deadline$/), rule: "format" },
        { field: expect.stringMatching(/^16:\d+ .*stage_id$/), rule: "duplicate" },
      ],
    });
    expect(await statuses("pipeline-templates")).toEqual([]);
  });
});

const load = (cache: DocumentCache, version: string) =>
  system.database.inTenants([tenantId, "south"], (tx) =>
    cache.load(tx, tenantId, "pipeline-templates", version),
  );

describe("published versions in memory", () => {
  test("are read once, and kept up to a bound", async () => {
    const cache = createDocumentCache({ most: 2 });
    for (const version of ["1.0.0", "1.1.0", "1.2.0"]) await publish("pipeline-templates", version);
    const first = await load(cache, "1.0.0");
    expect(first.templates.map(({ templateId }) => templateId)).toEqual([
      "implement-and-review",
      "critical-with-security",
    ]);
    await load(cache, "1.1.0");
    expect(await load(cache, "1.0.0")).toBe(first);
    const second = await load(cache, "1.1.0");
    await load(cache, "1.0.0");
    await load(cache, "1.2.0");
    expect(await load(cache, "1.0.0")).toBe(first);
    expect(await load(cache, "1.1.0")).not.toBe(second);
  });

  test("are not drafts", async () => {
    await createDraft(system, operator, "pipeline-templates", { text: texts["pipeline-templates"] });
    await expect(load(createDocumentCache(), "1.0.0")).rejects.toThrow("was never published");
  });

  test("that obey the rules no more stop their tenant's work, and say what to do", async () => {
    await publish("pipeline-templates", "1.0.0");
    await readRows(
      opened.made.url,
      `alter table signalbox.pipeline_templates disable trigger all;
       update signalbox.pipeline_templates set document = replace(document, '30m', '30 minutes')`,
    );
    await expect(load(createDocumentCache(), "1.0.0")).rejects.toMatchObject({
      code: "INVALID_STATE",
      detail: expect.stringMatching(/line \d+: is "30 minutes".*Publish a version/),
    });
  });
});
