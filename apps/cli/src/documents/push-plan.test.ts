import { describe, expect, test } from "vitest";
import type { StoredDocument } from "./answers.ts";
import { decidePush } from "./push-plan.ts";

const stored = (status: StoredDocument["status"], text: string, version = "1.0.0"): StoredDocument => ({
  version,
  status,
  edit: 3,
  createdAt: "",
  createdBy: "",
  text,
});
const active = stored("active", "old", "0.9.0");

describe("a push", () => {
  test.each([
    ["nothing there", undefined, false, { draft: "create", publish: false, replaces: "0.9.0" }],
    [
      "nothing there, to be published",
      undefined,
      true,
      { draft: "create", publish: true, replaces: "0.9.0" },
    ],
    ["a draft with another text", stored("draft", "x"), false, { draft: "edit", edit: 3, publish: false }],
    ["the same draft, to be published", stored("draft", "new"), true, { draft: "nothing", publish: true }],
    ["a retired version, to come back", stored("retired", "new"), true, { draft: "nothing", publish: true }],
    [
      "the active version itself",
      stored("active", "new"),
      true,
      { draft: "nothing", publish: false, changes: false },
    ],
  ])("%s", (_case, found, publish, expected) => {
    const plan = decidePush({ stored: found, active, text: "new", publish, edit: undefined });
    expect(plan).toMatchObject({ kind: "planned", ...expected });
  });

  test.each([
    [stored("active", "x"), undefined, "is published with another text"],
    [stored("retired", "x"), undefined, "was published with another text"],
    [stored("draft", "x"), 2, "it is at edit 3 now"],
  ])("is refused where it would write over something", (found, edit, why) => {
    const plan = decidePush({ stored: found, active, text: "new", publish: false, edit });
    expect(plan).toMatchObject({ kind: "refused", why: expect.stringContaining(why) });
  });

  test("the same text again is no conflict, whatever edit it was made from", () => {
    const plan = decidePush({ stored: stored("draft", "new"), active, text: "new", publish: false, edit: 1 });
    expect(plan).toMatchObject({ kind: "planned", draft: "nothing" });
  });
});
