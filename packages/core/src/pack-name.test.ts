import { describe, expect, test } from "vitest";
import { identifierLimits } from "./identifier.ts";
import { findPackNameFaults } from "./pack-name.ts";

const rulesBroken = (packId: string, packVersion = "1.0.0") =>
  findPackNameFaults({ packId, packVersion }).map(({ field, rule }) => `${field} ${rule}`);

describe("REG-9 a name under which the pack could not be found again is refused", () => {
  test.each(["senior-ts-dev", "a", "team/agent", "Prüfer", "…", "x".repeat(identifierLimits.packId)])(
    "%j is a name",
    (id) => {
      expect(rulesBroken(id)).toEqual([]);
    },
  );

  test.each([".", "..", " a", "a ", "a\n", "a\tb", "a\u0085b", "a\u0000b", "a\u202Eb"])(
    "%j is none",
    (id) => {
      expect(rulesBroken(id)).toEqual(["pack_id name.fit"]);
    },
  );

  test("each part has its longest length", () => {
    expect(rulesBroken("x".repeat(401))).toEqual(["pack_id name.max_len"]);
    expect(rulesBroken("x", `1.0.0-${"a".repeat(94)}`)).toEqual([]);
    expect(rulesBroken("x", `1.0.0-${"a".repeat(95)}`)).toEqual(["pack_version name.max_len"]);
  });
});
