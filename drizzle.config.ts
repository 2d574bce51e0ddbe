import { defineConfig } from "drizzle-kit";

/** `drizzle-kit generate --name <what-changes>`; docs/adr/0003-migrations.md says what to add to its file by hand. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./packages/db/src/schema/*.ts",
  out: "./drizzle",
  schemaFilter: ["signalbox"],
  entities: { roles: false },
});
