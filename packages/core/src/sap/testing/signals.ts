import {
  type Aggregate,
  emptyAggregate,
  foldSignal,
  type LearningScope,
  type SignalOf,
} from "../learning/aggregate.ts";
import type { OutcomeSignal, RatingSignal, Sample } from "../learning/signal.ts";

/** Signals as results and people give them; what a test is about it says itself. */
export const outcome = (said: Partial<OutcomeSignal> = {}): OutcomeSignal => ({
  kind: "outcome",
  status: "SUCCEEDED",
  alignment: "VALID",
  latencyMs: 100,
  attempts: 1,
  retries: 0,
  rejections: 0,
  nextActions: 0,
  pressure: {},
  checks: [],
  violations: { low: 0, medium: 0, high: 0 },
  missed: false,
  kept: false,
  sample: null,
  ...said,
});

export const rated = (said: Partial<RatingSignal> = {}): RatingSignal => ({
  kind: "rating",
  score: null,
  approved: null,
  note: null,
  pressure: {},
  replaces: null,
  poor: 0,
  ...said,
});

export const sampled = (members: Sample["members"], output: string, folded = JSON.stringify(members)) =>
  outcome({ sample: { members, output, folded } });

export const told = (signal: SignalOf["signal"], said: Partial<SignalOf> = {}): SignalOf => ({
  key: { capability: "consult", territory: "EUFM", fingerprint: "f" },
  taskId: "task",
  by: signal.kind === "rating" ? "ada" : null,
  at: "2026-11-18T10:15:23.000Z",
  signal,
  ...said,
});

export const aggregateOf = (
  scope: LearningScope,
  signals: readonly SignalOf[],
  from: Aggregate = emptyAggregate,
): Aggregate => signals.reduce((all, one) => foldSignal(all, scope, one), from);
