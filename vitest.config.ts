import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith("/fuzz.pg.test.ts");

/** The longest file of all begins first: begun last, it would have the machine's other cores wait for it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own
    const usual = await super.sort(files);
    return [...usual.filter(isLongest), ...usual.filter((file) => !isLongest(file))];
  }
}

/** Two projects by file name: `*.pg.test.ts` needs a Postgres, which its global setup starts once; the rest needs nothing. */
export default defineConfig({
  test: {
    // The default leaves one core out; tests that wait on processes and on Postgres leave room for a third worker.
    maxWorkers: Math.max(3, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "unit",
          // These share no state that could leak, and loading the contract anew for each file costs more than they do.
          isolate: false,
          setupFiles: ["packages/testkit/src/seed-setup.ts"],
          // Properties and fuzzing are long, and a busy machine is no fault of theirs.
          testTimeout: 30_000,
          include: [
            "{apps,packages}/*/{src,test,scripts}/**/*.test.{ts,tsx}",
            "{bench,examples}/src/**/*.test.ts",
            "scripts/**/*.test.ts",
          ],
          exclude: ["**/*.pg.test.ts", "**/node_modules/**"],
        },
      },
      {
        test: {
          name: "postgres",
          // Each test has a database of its own, and no module keeps what is one test's; a server's code is loaded once a worker.
          isolate: false,
          setupFiles: ["packages/testkit/src/seed-setup.ts"],
          include: ["{apps,packages}/*/{src,test}/**/*.pg.test.ts", "examples/src/**/*.pg.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["packages/testkit/src/global-setup.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
