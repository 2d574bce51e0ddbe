import type { DurablePostgres } from "../durable-postgres.ts";
import type { Figure } from "../measure/figure-table.ts";
import type { Span } from "../measure/meter.ts";

export type Course = {
  readonly server: DurablePostgres;
  readonly rounds: number;
  readonly span: Span;
  /** Finished pipelines that a scenario of history begins with. */
  readonly past: number;
  /** What a run saw, as soon as it is over. */
  readonly say: (line: string) => void;
};

export type Scenario = {
  readonly title: string;
  /** Part of a run that names no scenario. */
  readonly short: boolean;
  readonly run: (course: Course) => Promise<readonly Figure[]>;
};
