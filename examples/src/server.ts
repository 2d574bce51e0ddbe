import { randomBytes } from "node:crypto";
import { createLog, describeFaults, logDestination, readConfig, readyBlock, start } from "@signalbox/server";

export type OwnServer = {
  readonly url: string;
  readonly key: string;
  /** Fails when its Postgres ended by itself. */
  readonly ended: Promise<never>;
  stop(): Promise<void>;
};

/**
 * Signalbox as `npm start` runs it, in this process: a second one would take half as much memory again, for agents that
 * wait. They still come in by its doors alone. The key is made up at each start, and the next start without it withdraws it.
 */
export async function startServer(
  environment: NodeJS.ProcessEnv,
  givenKey: string | undefined,
  print: (text: string) => void,
  calledOff: AbortSignal = new AbortController().signal,
): Promise<OwnServer> {
  const key = givenKey ?? randomBytes(24).toString("hex");
  const read = readConfig(
    {
      // A line for each heartbeat would carry the link to sign in, and what the agents do, off the screen.
      LOG_LEVEL: "warn",
      // The engine asks for three things at a time where nothing is to be done; whoever looks at a yard can wait for a fourth.
      DATABASE_CONNECTIONS: "4",
      ...environment,
      // Of use to a process that npm started alone: it would tell of the demonstration.
      npm_lifecycle_event: undefined,
      SIGNALBOX_BOOTSTRAP_KEY: key,
    },
    process.cwd(),
  );
  if (!read.ok) throw new Error(describeFaults(read.faults));
  const { config } = read;
  const log = createLog(config.log, logDestination(config.log, process.stderr.isTTY));
  const ended = Promise.withResolvers<never>();
  // It may end before anybody waits for that: whoever does hears of it all the same.
  ended.promise.catch(() => undefined);
  const onDatabaseEnded = () =>
    ended.reject(new Error("Its PostgreSQL ended by itself. Start it again: it recovers the data."));
  const started = await start(config, log, calledOff, { onDatabaseEnded });
  print(readyBlock(started, config));
  return {
    url: started.url.origin,
    key,
    ended: ended.promise,
    stop: () => started.stop(new AbortController().signal),
  };
}
