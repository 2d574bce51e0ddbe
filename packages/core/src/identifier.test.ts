import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findIdentifierFaults, identifierForm } from "./identifier.ts";

const broken = (id: string, most?: number) => findIdentifierFaults("contract.taskId", id, most);

describe("NAME-1 an id that a caller gives", () => {
  test.each([
    "TAS-114",
    "7fbb32b6-0d2c-4c1a-9b75-2a4b3b0b6c0a",
    "implement-and-review",
    "team/agent #7?",
    "Prüfung 12",
    "語".repeat(200),
    "می‌خواهم",
    "👩‍💻",
    "\u2764\uFE0F\u200D\u{1F525} 7",
    "…",
  ])("%j is one", (id) => {
    expect(broken(id)).toEqual([]);
  });

  test.each([
    ["   ", "is blank; "],
    ["\u00A0\u3000", "is blank; "],
    [" a", "begins or ends with white space; "],
    ["a ", "begins or ends with white space; "],
    ["line\nbreak", "holds U+000A at character 5; "],
    ["a\u2028b", "holds U+2028 at character 2; "],
    ["a\0", "holds U+0000 at character 2; "],
    ["a\u0085b", "holds U+0085 at character 2; "],
    ["invoice\u202Egpj", "holds U+202E at character 8; "],
    ["a\u2066b", "holds U+2066 at character 2; "],
    ["TAS\u200B-114", "holds U+200B at character 4; "],
    ["\uFEFFa", "holds U+FEFF at character 1; "],
    ["\u200D", "is blank; "],
    [" \u200C ", "is blank; "],
    ["TAS-114\u200D", "begins or ends with what joins letters; "],
    ["\u200CTAS-114", "begins or ends with what joins letters; "],
    ["\u3164", "holds U+3164 at character 1; "],
    ["TAS-114\uFFA0", "holds U+FFA0 at character 8; "],
    ["\u2800", "holds U+2800 at character 1; "],
    ["TAS\u034F-114", "holds U+034F at character 4; "],
    ["TAS-114\uFE0F", "holds U+FE0F at character 8; "],
    ["a\u{E0101}", "holds U+E0101 at character 2; "],
    ["a\uD83D", "holds U+D83D at character 2; "],
  ])("%j is none, and it is told what is allowed", (id, says) => {
    expect(broken(id)).toEqual([
      { field: "contract.taskId", rule: "name.fit", message: `${says}${identifierForm}` },
    ]);
  });

  test.each([".", ".."])("%j is a step in a URL", (id) => {
    expect(broken(id)).toMatchObject([
      { rule: "name.fit", message: `must not be "${id}", which no URL can name` },
    ]);
  });

  test("is 200 characters long at most, where nothing else is said", () => {
    expect(broken("x".repeat(200))).toEqual([]);
    const message = "has 5000 characters; at most 200 are allowed";
    expect(broken("x".repeat(5_000))).toEqual([{ field: "contract.taskId", rule: "name.max_len", message }]);
    expect(broken("x".repeat(400), 400)).toEqual([]);
  });

  test("never has more than one fault, and what has none can be kept and read again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 250 }), (id) => {
        const faults = broken(id);
        expect(faults.length).toBeLessThanOrEqual(1);
        if (faults.length > 0) return;
        expect(id.isWellFormed() && !id.includes("\0")).toBe(true);
        expect([id.trim(), id.split(/\r\n|[\n\r\u2028\u2029\u0085]/).length]).toEqual([id, 1]);
      }),
    );
  });
});
