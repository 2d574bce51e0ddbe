import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { rolesTable } from "./testing/roles-table.ts";

test("D15 what operators read of roles is the table itself", () => {
  const guide = readFileSync(new URL("../../../docs/identity.md", import.meta.url), "utf8");
  expect(guide).toContain(rolesTable());
});
