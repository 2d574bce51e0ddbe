import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type ErrorCode, SignalboxError } from "@signalbox/contracts";
import type { Role } from "@signalbox/core";
import type { Answer, CommandName, Input } from "./commands.ts";

export type RemoteEngine = {
  /** Fails with what the engine said; with UNAVAILABLE where it said nothing, when what became of it is not known. */
  ask<C extends CommandName>(
    command: C,
    role: Role,
    input: Input<C>,
    signal?: AbortSignal,
  ): Promise<Answer<C>>;
  /** As `kill -9` does: nothing is tidied up. */
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** What its loops told of, in words. */
  readonly failures: readonly string[];
};

export type RemoteOptions = {
  readonly url: string;
  readonly nodeId?: string;
  readonly nodeLeaseMs?: number;
  readonly dispatchLeaseMs?: number;
};

const script = fileURLToPath(new URL("engine-process.ts", import.meta.url));

/** A process that has loaded its code: what takes longest of a start is over before the engine is wanted. */
export type StandBy = {
  /** Settles when it has loaded its code, or has ended. */
  readonly loaded: Promise<unknown>;
  /** Resolves once it takes commands. */
  start(options: RemoteOptions): Promise<RemoteEngine>;
  kill(): Promise<void>;
};

export function standBy(): StandBy {
  const child = spawn(process.execPath, [script], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "signalbox-compile-cache") },
  });
  const ended = once(child, "close");
  const loaded = Promise.withResolvers<void>();
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await ended;
  };
  const failures: string[] = [];
  const listening = Promise.withResolvers<number>();
  listening.promise.catch(() => undefined);
  createInterface({ input: child.stdout }).on("line", (line) => {
    const said = JSON.parse(line) as { loaded?: true; port?: number; failure?: string };
    if (said.loaded === true) loaded.resolve();
    if (said.port !== undefined) listening.resolve(said.port);
    if (said.failure !== undefined) failures.push(said.failure);
  });
  return {
    loaded: Promise.race([loaded.promise, ended]),
    kill,
    async start(options) {
      void ended.then(() =>
        listening.reject(new Error("the engine's process ended before it took commands")),
      );
      child.stdin.write(`${JSON.stringify(options)}\n`);
      return {
        failures,
        ask: askAt(await listening.promise),
        kill,
        freeze: () => void child.kill("SIGSTOP"),
        thaw: () => void child.kill("SIGCONT"),
      };
    },
  };
}

function askAt(port: number): RemoteEngine["ask"] {
  async function send(body: object, signal: AbortSignal | undefined): Promise<unknown> {
    try {
      const sent = await fetch(`http://127.0.0.1:${port}/`, {
        method: "POST",
        body: JSON.stringify(body),
        signal: signal ?? null,
      });
      return await sent.json();
    } catch (cause) {
      throw new SignalboxError("UNAVAILABLE", "The engine's process did not answer.", { cause });
    }
  }
  return async <C extends CommandName>(command: C, role: Role, input: Input<C>, signal?: AbortSignal) => {
    const said = (await send({ command, role, input }, signal)) as
      | { value: Answer<C> }
      | { error: { code: ErrorCode; detail: string } };
    if ("error" in said) throw new SignalboxError(said.error.code, said.error.detail);
    return said.value;
  };
}
