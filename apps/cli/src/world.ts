import type { Readable } from "node:stream";
import type { Environment } from "./environment.ts";

/** A stream to write to, with what a terminal says of itself. */
export type Sink = {
  /** Resolves when there is room for more. */
  readonly write: (text: string) => Promise<void>;
  readonly isTerminal: boolean;
  readonly columns: number | undefined;
};

/** Everything a command knows of what is around it. The process makes one; tests make one with what they hold still. */
export type World = {
  readonly environment: Environment;
  readonly out: Sink;
  readonly err: Sink;
  readonly input: Readable;
  readonly inputIsTerminal: boolean;
  /** Aborted by the first Ctrl-C; the second ends the process. */
  readonly interrupted: AbortSignal;
  readonly folder: string;
  /** Carries to its end what writes to the server, also when whoever reads what is shown goes away in the middle. */
  readonly whileActing: <T>(act: () => Promise<T>) => Promise<T>;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
};
