import { defineConfig } from "vitest/config";

/** Two projects by file name: `*.pg.test.ts` needs a Postgres, which its global setup starts once; the rest needs nothing. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["{apps,packages}/*/{src,test}/**/*.test.{ts,tsx}", "scripts/**/*.test.ts"],
          exclude: ["**/*.pg.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "postgres",
          include: ["{apps,packages}/*/{src,test}/**/*.pg.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["packages/testkit/src/global-setup.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
