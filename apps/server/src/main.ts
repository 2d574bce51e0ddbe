import { DatabaseError } from "@signalbox/db";
import { describeFaults, readProcessConfig } from "./config.ts";
import { createLog, logDestination } from "./log.ts";
import { readyBlock } from "./ready-block.ts";
import { StartFailure } from "./start-failure.ts";
import { start, type Started } from "./start.ts";
import { onStopRequested, type StopRequest } from "./stop-requests.ts";
import { readVersion } from "./version.ts";

if (process.argv.includes("--version")) {
  process.stdout.write(`${readVersion()}\n`);
  process.exit(0);
}
// A terminal that closed must not turn the orderly stop into a crash.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

const read = readProcessConfig();
if (!read.ok) {
  process.stderr.write(`${describeFaults(read.faults)}\n`);
  process.exit(1);
}
const { config } = read;
const log = createLog(config.log, logDestination(config.log, process.stderr.isTTY));
const calledOff = new AbortController();
const hurry = new AbortController();
let started: Started | undefined;
let exitCode = 0;

const stopAsked = (request: StopRequest) => {
  if (request.failure !== undefined) {
    exitCode = 1;
    log.fatal({ err: request.failure }, request.why);
  } else log.info(request.why);
  if (calledOff.signal.aborted) {
    hurry.abort();
    // A start that hangs has nothing in flight, and its Postgres stops when this end of its pipe closes.
    if (started === undefined) process.exit(1);
    return;
  }
  calledOff.abort();
  if (started !== undefined) void finish(started);
};
onStopRequested(config.launched, stopAsked);

async function finish({ stop }: Started): Promise<never> {
  await stop(hurry.signal);
  log.info("stopped");
  process.exit(exitCode);
}

try {
  started = await start(config, log, calledOff.signal, {
    onDatabaseEnded: () =>
      stopAsked({
        why: "the embedded PostgreSQL ended: stopping",
        failure: new Error(
          "The embedded PostgreSQL ended by itself. Start Signalbox again: it recovers the data.",
        ),
      }),
  });
  if (calledOff.signal.aborted) await finish(started);
  process.stdout.write(readyBlock(started, config));
} catch (reason) {
  if (calledOff.signal.aborted) process.exit(exitCode);
  if (reason instanceof StartFailure || reason instanceof DatabaseError) {
    process.stderr.write(`Signalbox did not start. ${reason.message}\n`);
  } else log.fatal({ err: reason }, "Signalbox did not start");
  process.exit(1);
}
