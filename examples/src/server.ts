import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";

const main = join(import.meta.dirname, "../../apps/server/src/main.ts");
/** A yard to look at need not be fast: with the usual young generation of 16 MB a part, the process takes three times as much. */
const frugal = ["--max-semi-space-size=1", "--optimize-for-size"];

export type OwnServer = {
  readonly url: string;
  readonly key: string;
  /** Settles with its exit code, however it ends. */
  readonly ended: Promise<number>;
  stop(): Promise<number>;
};

/**
 * Signalbox as `npm start` runs it. In a process group of its own: Ctrl-C is for the agents first, which report and leave
 * while there is somebody to hear them. The key is made up at each start, and the next start without it withdraws it.
 */
export async function startServer(
  environment: NodeJS.ProcessEnv,
  givenKey: string | undefined,
  print: (text: string) => void,
): Promise<OwnServer> {
  const key = givenKey ?? randomBytes(24).toString("hex");
  const child = spawn(process.execPath, [...frugal, main], {
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
    // npm's name in the environment makes it stop by itself when this process is gone without a word. A line for each
    // heartbeat would carry the link to sign in, and what the agents do, off the screen.
    env: { npm_lifecycle_event: "demo", LOG_LEVEL: "warn", ...environment, SIGNALBOX_BOOTSTRAP_KEY: key },
  });
  const ended = once(child, "close").then(([code]) => (typeof code === "number" ? code : 1));
  let output = "";
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      print(text);
      output += text;
      const address = /Stop +Ctrl-C/.test(output) ? /Open +(\S+)/.exec(output)?.[1] : undefined;
      if (address !== undefined) resolve(address);
    });
    void ended.then(() => reject(new Error("It needs Signalbox, which ended; why is said above.")));
  });
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  try {
    return { url: await ready, key, ended, stop };
  } catch (reason) {
    child.kill("SIGTERM");
    throw reason;
  }
}
