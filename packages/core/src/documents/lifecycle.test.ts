import { AuditEventType } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decideDiscard,
  decideDraft,
  decideEdit,
  decidePublication,
  describeDocumentRefusal,
  type DocumentVersion,
} from "./lifecycle.ts";
import {
  documentDiscarded,
  documentDrafted,
  documentEdited,
  documentPublished,
} from "./lifecycle-entries.ts";

const version = (said: Partial<DocumentVersion> = {}): DocumentVersion => ({
  version: "1.0.0",
  status: "draft",
  edit: 1,
  text: "one",
  ...said,
});
const draft = version();
const active = version({ status: "active" });
const retired = version({ version: "0.9.0", status: "retired", text: "zero" });

describe("drafts", () => {
  test("DOC-20 a new version is a draft; the same text again is unchanged, another under its version is refused", () => {
    expect(decideDraft(undefined, "one")).toEqual({ kind: "created" });
    for (const found of [draft, active, retired]) {
      expect(decideDraft(found, found.text)).toEqual({ kind: "unchanged" });
      expect(decideDraft(found, "two")).toEqual({
        kind: "refused",
        refusal: { reason: "version-exists", status: found.status },
      });
    }
  });

  test("DOC-21 a draft is edited and discarded by who has seen its latest edit, and each edit counts one up", () => {
    expect(decideEdit(draft, { edit: 1, text: "two" })).toEqual({ kind: "edited", edit: 2 });
    expect(decideDiscard(draft, { edit: 1 })).toEqual({ kind: "discarded" });
    const conflict = { kind: "refused", refusal: { reason: "edit-differs", edit: 1 } };
    expect(decideEdit(draft, { edit: 0, text: "two" })).toEqual(conflict);
    expect(decideDiscard(draft, { edit: 2 })).toEqual(conflict);
  });

  test("DOC-21 an edit that is there already is unchanged, for its answer may have been lost", () => {
    expect(decideEdit(version({ edit: 2, text: "two" }), { edit: 1, text: "two" })).toEqual({
      kind: "unchanged",
    });
  });

  test("DOC-22 what was published is neither edited nor discarded", () => {
    for (const found of [active, retired]) {
      const refused = { kind: "refused", refusal: { reason: "not-a-draft", status: found.status } };
      expect(decideEdit(found, { edit: 1, text: "two" })).toEqual(refused);
      expect(decideEdit(found, { edit: 1, text: found.text })).toEqual(refused);
      expect(decideDiscard(found, { edit: 1 })).toEqual(refused);
    }
    const unknown = { kind: "refused", refusal: { reason: "unknown-version" } };
    expect(decideEdit(undefined, { edit: 1, text: "two" })).toEqual(unknown);
    expect(decideDiscard(undefined, { edit: 1 })).toEqual(unknown);
  });
});

describe("publishing", () => {
  test("DOC-23 makes a draft active and retires the active one in the same decision", () => {
    const next = version({ version: "1.1.0" });
    expect(decidePublication(draft, undefined, {})).toEqual({
      kind: "published",
      retires: undefined,
      rollback: false,
    });
    expect(decidePublication(next, active, {})).toEqual({
      kind: "published",
      retires: "1.0.0",
      rollback: false,
    });
    expect(decidePublication(active, active, {})).toEqual({ kind: "unchanged" });
    expect(decidePublication(undefined, active, {})).toEqual({
      kind: "refused",
      refusal: { reason: "unknown-version" },
    });
  });

  test("DOC-23 brings a retired version back", () => {
    expect(decidePublication(retired, active, {})).toEqual({
      kind: "published",
      retires: "1.0.0",
      rollback: true,
    });
  });

  test("DOC-24 is refused where the draft or the active version is not the one that was seen", () => {
    const next = version({ version: "1.1.0", edit: 3 });
    expect(decidePublication(next, active, { edit: 2 })).toEqual({
      kind: "refused",
      refusal: { reason: "edit-differs", edit: 3 },
    });
    expect(decidePublication(next, active, { edit: 3, replaces: "0.9.0" })).toEqual({
      kind: "refused",
      refusal: { reason: "active-differs", seen: "0.9.0", active: "1.0.0" },
    });
    expect(decidePublication(next, undefined, { replaces: "0.9.0" })).toMatchObject({ kind: "refused" });
    expect(decidePublication(next, undefined, { replaces: null }).kind).toBe("published");
    expect(decidePublication(next, active, { replaces: null }).kind).toBe("refused");
    expect(decidePublication(next, active, { edit: 3, replaces: "1.0.0" }).kind).toBe("published");
  });
});

type Store = Map<string, DocumentVersion>;
const activeOf = (store: Store) => [...store.values()].find(({ status }) => status === "active");

const names = fc.constantFrom("1.0.0", "1.1.0", "2.0.0");
const texts = fc.constantFrom("a", "b", "c");
const edits = fc.integer({ min: 0, max: 4 });
const commands = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("draft" as const), name: names, text: texts }),
    fc.record({ kind: fc.constant("edit" as const), name: names, text: texts, edit: edits }),
    fc.record({ kind: fc.constant("discard" as const), name: names, edit: edits }),
    fc.record({
      kind: fc.constant("publish" as const),
      name: names,
      edit: fc.option(edits, { nil: undefined }),
    }),
  ),
  { maxLength: 40 },
);
type Command = typeof commands extends fc.Arbitrary<(infer C)[]> ? C : never;

function carryOut(store: Store, command: Command): void {
  const found = store.get(command.name);
  if (command.kind === "draft" && decideDraft(found, command.text).kind === "created")
    store.set(command.name, version({ version: command.name, text: command.text }));
  if (command.kind === "edit" && found !== undefined) {
    const decision = decideEdit(found, command);
    if (decision.kind === "edited")
      store.set(command.name, { ...found, text: command.text, edit: decision.edit });
  }
  if (command.kind === "discard" && decideDiscard(found, command).kind === "discarded")
    store.delete(command.name);
  if (command.kind !== "publish" || found === undefined) return;
  const decision = decidePublication(found, activeOf(store), command);
  if (decision.kind !== "published") return;
  const replaced = decision.retires === undefined ? undefined : store.get(decision.retires);
  if (replaced !== undefined) store.set(replaced.version, { ...replaced, status: "retired" });
  store.set(command.name, { ...found, status: "active" });
}

test("DOC-22 DOC-23 whatever is asked, one version at most is active, one stays so, and what was published keeps its text", () => {
  fc.assert(
    fc.property(commands, (asked) => {
      const store: Store = new Map();
      const kept = new Map<string, string>();
      for (const command of asked) {
        const was = activeOf(store);
        carryOut(store, command);
        const versions = [...store.values()];
        expect(versions.filter(({ status }) => status === "active").length).toBeLessThanOrEqual(1);
        expect(was !== undefined && activeOf(store) === undefined).toBe(false);
        for (const [name, text] of kept) expect(store.get(name)?.text).toBe(text);
        for (const { version: name, status, text } of versions) if (status !== "draft") kept.set(name, text);
      }
    }),
  );
});

test("DOC-24 a refusal says what there is, and what to do", () => {
  const name = "routing policy 1.0.0";
  const told = [
    describeDocumentRefusal(name, { reason: "unknown-version" }),
    describeDocumentRefusal(name, { reason: "version-exists", status: "active" }),
    describeDocumentRefusal(name, { reason: "not-a-draft", status: "retired" }),
    describeDocumentRefusal(name, { reason: "edit-differs", edit: 4 }),
    describeDocumentRefusal(name, { reason: "active-differs", seen: "0.9.0", active: undefined }),
    describeDocumentRefusal(name, { reason: "active-differs", seen: "0.9.0", active: "1.1.0" }),
    describeDocumentRefusal(name, { reason: "active-differs", seen: null, active: "1.1.0" }),
  ];
  expect(told).toEqual([
    "There is no routing policy 1.0.0.",
    "There is a routing policy 1.0.0 with another text already; it is published. Give the text a new version.",
    "The routing policy 1.0.0 is published, and retired since, and what was published never changes. Draft a new version.",
    "The routing policy 1.0.0 was changed since it was read; it is at edit 4 now. Read it again.",
    "The routing policy 1.0.0 was not published: it was to take the place of 0.9.0, but none is active now. Read what is active, and publish again.",
    "The routing policy 1.0.0 was not published: it was to take the place of 0.9.0, but 1.1.0 is active now. Read what is active, and publish again.",
    "The routing policy 1.0.0 was not published: nothing was to be active before it, but 1.1.0 is active now. Read what is active, and publish again.",
  ]);
});

describe("on record", () => {
  const context = {
    tenantId: "north",
    actor: { type: "human", id: "ada" },
    requestId: "r-1",
  } as const;
  const kind = "pipeline-templates";

  test("DOC-28 each change has its own type, and a publication that replaces says both sides", () => {
    const publication = { kind: "published", retires: "1.0.0", rollback: true } as const;
    const entries = [
      documentDrafted(context, { kind, version: "1.1.0", note: "" }),
      documentEdited(context, { kind, version: "1.1.0", edit: 2, note: "typo" }),
      documentDiscarded(context, { kind, version: "1.1.0" }),
      ...documentPublished(context, { kind, version: "0.9.0", edit: 1, note: "", publication }),
    ];
    expect(entries.map(({ eventType, action, rationale }) => [eventType, action, rationale])).toEqual([
      [AuditEventType.TEMPLATE_DRAFTED, "drafted pipeline templates 1.1.0", "The version was new."],
      [AuditEventType.TEMPLATE_DRAFTED, "edited the draft of pipeline templates 1.1.0, edit 2", "typo"],
      [
        AuditEventType.TEMPLATE_DISCARDED,
        "discarded the draft of pipeline templates 1.1.0",
        "It was a draft, at the edit that was seen.",
      ],
      [
        AuditEventType.TEMPLATE_RETIRED,
        "retired pipeline templates 1.0.0",
        "0.9.0 was published in its place.",
      ],
      [
        AuditEventType.TEMPLATE_PUBLISHED,
        "rolled back to pipeline templates 0.9.0, edit 1",
        "It replaces 1.0.0.",
      ],
    ]);
  });

  test("DOC-28 the first publication retires nothing", () => {
    const publication = { kind: "published", retires: undefined, rollback: false } as const;
    const entries = documentPublished(context, {
      kind: "routing-policy",
      version: "1.0.0",
      edit: 1,
      note: "",
      publication,
    });
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      eventType: AuditEventType.POLICY_PUBLISHED,
      action: "published routing policy 1.0.0, edit 1",
      rationale: "No version was active.",
    });
  });
});
