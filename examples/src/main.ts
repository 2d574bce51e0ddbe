/** `npm run demo`: Signalbox with a working yard, or with --url only the yard, for a Signalbox that runs already. */
import { type Demonstration, startDemonstration } from "./demonstration.ts";
import type { OwnServer } from "./server.ts";
import { readSettings } from "./settings.ts";

const say = (line: string) => process.stdout.write(`  demo     ${line}\n`);
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stopping.abort());
// A terminal that closed must not turn the orderly stop into a crash.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
// npm may be killed without a signal that it could pass on: then nobody would be left to stop what runs here.
const launcher = process.ppid;
setInterval(() => process.ppid === launcher || stopping.abort(), 500).unref();

/** What is told to whoever started it: the reason, and not where in the program it was found. */
const wordsOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

async function run(): Promise<number> {
  const settings = readSettings(process.argv.slice(2), process.env);
  if (typeof settings === "string") {
    process.stdout.write(settings);
    return 0;
  }
  const { url, key, folder, soakSeconds } = settings;
  const server = url === undefined ? await startOwn(key) : undefined;
  const target = { url: url ?? server?.url ?? "", key: key ?? server?.key ?? "" };
  try {
    const demonstration = await startDemonstration({ ...target, folder, soakSeconds, say });
    await untilStopped(demonstration, server);
    await demonstration.stop();
  } catch (reason) {
    say(wordsOf(reason));
    process.exitCode = 1;
  }
  await server?.stop();
  return 0;
}

/** For a Signalbox that runs already, none is loaded. */
async function startOwn(key: string | undefined): Promise<OwnServer> {
  const { startServer } = await import("./server.ts");
  return startServer(process.env, key, (text) => process.stdout.write(text), stopping.signal);
}

async function untilStopped({ submitted }: Demonstration, server: OwnServer | undefined): Promise<void> {
  submitted.then(
    () =>
      say(
        "All tasks are submitted. Three of them will wait for a person: sign in and answer their escalations.",
      ),
    (reason: unknown) => say(wordsOf(reason)),
  );
  const stopped = new Promise<void>((resolve) => {
    if (stopping.signal.aborted) resolve();
    stopping.signal.addEventListener("abort", () => resolve());
  });
  await Promise.race([stopped, ...(server === undefined ? [] : [server.ended])]);
}

const code = await run().catch((reason: unknown) => {
  if (stopping.signal.aborted) return 0;
  process.stderr.write(`The demonstration did not start. ${wordsOf(reason)}\n`);
  return 1;
});
process.exit(process.exitCode ?? code);
