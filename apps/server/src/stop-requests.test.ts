import { execFile } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const module = pathToFileURL(join(import.meta.dirname, "stop-requests.ts")).href;

/** In a process of its own: what ends a process cannot be tried on this one. */
const runFailing = (failure: string) =>
  new Promise<{ code: unknown; output: string }>((resolve) => {
    const code = `
      import { onStopRequested } from ${JSON.stringify(module)};
      onStopRequested(false, ({ why, failure }) => {
        console.log(why, "|", failure.message);
        process.exit(7);
      });
      setTimeout(() => { ${failure} }, 0);`;
    execFile(process.execPath, ["--input-type=module", "--eval", code], (error, output) =>
      resolve({ code: error?.code ?? 0, output: output.trim() }),
    );
  });

test.each([
  ["uncaught exception: stopping | lost", `throw new Error("lost");`],
  ["unhandled rejection: stopping | lost", `Promise.reject(new Error("lost"));`],
])("%s", async (output, failure) => {
  expect(await runFailing(failure)).toEqual({ code: 7, output });
});
