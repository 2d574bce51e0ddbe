import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SOURCE = import.meta.dirname;
const DRIVERS = /from "(postgres|drizzle-orm\/(?!pg-core"|migrator"|postgres-js\/migrator")[^"]*)"/;

test("only connection.ts opens connections or makes query handles; everything else goes through inTenant", () => {
  const files = globSync("**/*.ts", { cwd: SOURCE }).filter((file) => file !== "single-connection.test.ts");
  const opening = files.filter((file) => DRIVERS.test(readFileSync(join(SOURCE, file), "utf8")));
  expect(files.length).toBeGreaterThan(30);
  expect(opening).toEqual(["connection.ts"]);
});

const importing = (name: string) =>
  globSync("**/*.ts", { cwd: SOURCE, exclude: ["**/*.test.ts", "testing/**", "catalogue/**"] })
    .filter((file) =>
      new RegExp(`import [^;]*\\b${name}\\b[^;]*;`).test(readFileSync(join(SOURCE, file), "utf8")),
    )
    .toSorted();

test("only set-up, look-ups and tests use a connection without a tenant", () => {
  expect(importing("connect")).toEqual(["database.ts"]);
  expect(importing("withConnection")).toEqual([
    "embedded/embedded-postgres.ts",
    "prepare/app-login.ts",
    "prepare/prepare-database.ts",
  ]);
  expect(importing("connectionOf")).toEqual([
    "prepare/schema-state.ts",
    "queries/credential-standings.ts",
    "queries/due-probations.ts",
    "queries/due-work.ts",
    "queries/fired-alerts.ts",
    "queries/forget-events.ts",
    "queries/kept-answers.ts",
    "queries/lost-instances.ts",
    "queries/sap-signals.ts",
    "repositories/audit-entries.ts",
    "repositories/keys.ts",
    "repositories/nodes.ts",
    "repositories/retention.ts",
    "repositories/sessions.ts",
    "repositories/sign-in-attempts.ts",
    "repositories/sign-in-links.ts",
  ]);
});

test.each([
  'import postgres from "postgres";',
  'import { drizzle } from "drizzle-orm/postgres-js";',
  'import { drizzle } from "drizzle-orm/node-postgres";',
])("the rule would see: %s", (line) => {
  expect(line).toMatch(DRIVERS);
});
