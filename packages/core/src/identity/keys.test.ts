import { describe, expect, test } from "vitest";
import { findKeyFaults } from "./keys.ts";

const faultsOf = (wish: Parameters<typeof findKeyFaults>[0]) =>
  findKeyFaults(wish).map(({ field, rule }) => `${field} ${rule}`);

describe("keys that are asked for", () => {
  test("KEY-1 a label that can be read, a role, and an end or none", () => {
    expect(faultsOf({ label: "ci", role: "operator" })).toEqual([]);
    expect(faultsOf({ label: "ci", role: "auditor", expiresInDays: 3_650 })).toEqual([]);
    expect(faultsOf({ label: "", role: "root", expiresInDays: 0 })).toEqual([
      "label name.length",
      "role role",
      "expiresInDays range",
    ]);
    for (const expiresInDays of [-1, 1.5, 3_651, Number.NaN])
      expect(faultsOf({ label: "ci", role: "admin", expiresInDays })).toEqual(["expiresInDays range"]);
    expect(faultsOf({ label: "tab\there", role: "admin" })).toEqual(["label name.fit"]);
  });

  test("KEY-2 an agent's key names its packs, and no other key names any", () => {
    const agent = { label: "runner", role: "agent" };
    expect(faultsOf({ ...agent, packIds: ["qa", "acme/größe"] })).toEqual([]);
    for (const packIds of [undefined, [], Array.from({ length: 101 }, (_, index) => `p${index}`)])
      expect(faultsOf({ ...agent, packIds })).toEqual(["packIds packs.items"]);
    expect(faultsOf({ ...agent, packIds: ["qa", "", "..", "x".repeat(401)] })).toEqual([
      "packIds[1] name.min_len",
      "packIds[2] name.fit",
      "packIds[3] name.max_len",
    ]);
    expect(faultsOf({ label: "ci", role: "admin", packIds: ["qa"] })).toEqual(["packIds agents_only"]);
  });
});
