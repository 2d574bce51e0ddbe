import type { OutcomeSignal, Pressure, Rating, RatingSignal, Sample, Signal, SignalKey } from "./signal.ts";

/** SAP-53: what a signal counts for: its own key, and what stands above it. */
export const learningScopes = ["fingerprint", "territory", "capability", "all"] as const;
export type LearningScope = (typeof learningScopes)[number];
export type AggregateKey = SignalKey & { readonly scope: LearningScope };

export const aggregateKeys = ({ capability, territory, fingerprint }: SignalKey): readonly AggregateKey[] => [
  { scope: "fingerprint", capability, territory, fingerprint },
  { scope: "territory", capability, territory, fingerprint: "" },
  { scope: "capability", capability, territory: "", fingerprint: "" },
  { scope: "all", capability: "", territory: "", fingerprint: "" },
];

/** How work went under a pressure of 0 to 10, above 10 to 20, and so on: ten counts. */
export type PressureCounts = {
  readonly good: readonly number[];
  readonly bad: readonly number[];
  /** Of the good ones those that somebody rated 2 or less. */
  readonly poor: readonly number[];
};

export type Note = {
  readonly taskId: string;
  readonly by: string;
  readonly score: number | null;
  readonly note: string;
};

export type Aggregate = {
  readonly outcomes: number;
  readonly succeeded: number;
  readonly partial: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly nonConstitutional: number;
  readonly hits: number;
  readonly misses: number;
  /** Records of the cache that were written, and when the first and the last of them was. */
  readonly records: number;
  readonly oldestRecordAt: string | null;
  readonly newestRecordAt: string | null;
  readonly latencyMs: number;
  readonly longestMs: number;
  readonly attempts: number;
  readonly retries: number;
  readonly rejections: number;
  readonly nextActions: number;
  readonly violations: { readonly low: number; readonly medium: number; readonly high: number };
  readonly ratings: number;
  readonly scores: number;
  readonly scoreSum: number;
  readonly approved: number;
  readonly disapproved: number;
  readonly principles: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Kept of everything together only. */
  readonly pressure: Readonly<Record<string, PressureCounts>>;
  /** The newest corrections, of a territory only. */
  readonly notes: readonly Note[];
  /** The newest outcomes that can be compared, of a capability only. */
  readonly samples: readonly (Sample & { readonly fingerprint: string })[];
};

const none = { low: 0, medium: 0, high: 0 };

export const emptyAggregate: Aggregate = {
  outcomes: 0,
  succeeded: 0,
  partial: 0,
  failed: 0,
  cancelled: 0,
  nonConstitutional: 0,
  hits: 0,
  misses: 0,
  records: 0,
  oldestRecordAt: null,
  newestRecordAt: null,
  latencyMs: 0,
  longestMs: 0,
  attempts: 0,
  retries: 0,
  rejections: 0,
  nextActions: 0,
  violations: none,
  ratings: 0,
  scores: 0,
  scoreSum: 0,
  approved: 0,
  disapproved: 0,
  principles: {},
  pressure: {},
  notes: [],
  samples: [],
};

const MOST_PRINCIPLES = 50;
const MOST_NOTES = 20;
const MOST_SAMPLES = 60;
/** A rating of this or less says that the result was of no use. */
const POOR_SCORE = 2;
const DECILES = 10;
const zeros: readonly number[] = Array.from({ length: DECILES }, () => 0);

export const decileOf = (reading: number): number =>
  Math.min(DECILES - 1, Math.max(0, Math.ceil(reading / 10) - 1));

export type SignalOf = {
  readonly key: SignalKey;
  readonly taskId: string | null;
  readonly by: string | null;
  /** When it was recorded. */
  readonly at: string;
  readonly signal: Signal;
};

/** SAP-53: the aggregate with the signal in it. What it holds is bounded, however many signals come. */
export function foldSignal(aggregate: Aggregate, scope: LearningScope, told: SignalOf): Aggregate {
  const { signal } = told;
  switch (signal.kind) {
    case "cache":
      return signal.hit
        ? { ...aggregate, hits: aggregate.hits + signal.times }
        : { ...aggregate, misses: aggregate.misses + signal.times };
    case "outcome":
      return foldOutcome(aggregate, scope, told, signal);
    case "rating":
      return foldRating(aggregate, scope, told, signal);
    default:
      return aggregate;
  }
}

const oneIf = (said: boolean): number => (said ? 1 : 0);

function foldOutcome(
  aggregate: Aggregate,
  scope: LearningScope,
  { key: { fingerprint }, at }: SignalOf,
  signal: OutcomeSignal,
): Aggregate {
  const { status, violations } = signal;
  return {
    ...aggregate,
    outcomes: aggregate.outcomes + 1,
    succeeded: aggregate.succeeded + oneIf(status === "SUCCEEDED"),
    partial: aggregate.partial + oneIf(status === "PARTIAL"),
    failed: aggregate.failed + oneIf(status === "FAILED"),
    cancelled: aggregate.cancelled + oneIf(status === "CANCELLED"),
    nonConstitutional: aggregate.nonConstitutional + oneIf(signal.alignment === "NON_CONSTITUTIONAL"),
    misses: aggregate.misses + oneIf(signal.missed),
    ...(signal.kept
      ? {
          records: aggregate.records + 1,
          oldestRecordAt: aggregate.oldestRecordAt ?? at,
          newestRecordAt: at,
        }
      : {}),
    latencyMs: aggregate.latencyMs + signal.latencyMs,
    longestMs: Math.max(aggregate.longestMs, signal.latencyMs),
    attempts: aggregate.attempts + signal.attempts,
    retries: aggregate.retries + signal.retries,
    rejections: aggregate.rejections + signal.rejections,
    nextActions: aggregate.nextActions + signal.nextActions,
    violations: {
      low: aggregate.violations.low + violations.low,
      medium: aggregate.violations.medium + violations.medium,
      high: aggregate.violations.high + violations.high,
    },
    principles: signal.checks.reduce(countCheck, aggregate.principles),
    ...(scope === "all" ? { pressure: countOutcome(aggregate.pressure, signal) } : {}),
    ...(scope === "capability" && signal.sample !== null
      ? { samples: [...aggregate.samples, { fingerprint, ...signal.sample }].slice(-MOST_SAMPLES) }
      : {}),
  };
}

type Named<T> = Readonly<Record<string, T>>;

/**
 * Names come from callers: so many are kept, and one that is called like a member of every object is one of them. A new
 * one takes the place of the least counted, so that made-up names keep out none that is used.
 */
function changed<T>(
  all: Named<T>,
  name: string,
  change: (found: T | undefined) => T,
  countOf: (value: T) => number,
): Named<T> {
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  const others = Object.entries(all).filter(([own]) => own !== name);
  const counts = others.map(([, value]) => countOf(value));
  const least = others.length < MOST_PRINCIPLES ? -1 : counts.indexOf(Math.min(...counts));
  return Object.fromEntries([...others.filter((_other, index) => index !== least), [name, change(found)]]);
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

const countCheck = (
  principles: Aggregate["principles"],
  { principle, status }: OutcomeSignal["checks"][number],
): Aggregate["principles"] =>
  changed(
    principles,
    principle,
    (found = {}) =>
      changed(
        found,
        status,
        (count = 0) => count + 1,
        (count) => count,
      ),
    (counts) => sumOf(Object.values(counts)),
  );

/** How the work went by its own record. Of work that somebody aborted it says something only where a violation stood. */
export function verdictOf({
  status,
  alignment,
  violations,
}: Pick<OutcomeSignal, "status" | "alignment" | "violations">): "good" | "bad" | undefined {
  if (status === "FAILED" || alignment === "NON_CONSTITUTIONAL" || violations.high > 0) return "bad";
  return status === "CANCELLED" ? undefined : "good";
}

function countOutcome(pressure: Aggregate["pressure"], signal: OutcomeSignal): Aggregate["pressure"] {
  const verdict = verdictOf(signal);
  return verdict === undefined ? pressure : countReadings(pressure, signal.pressure, verdict, 1);
}

function countReadings(
  pressure: Aggregate["pressure"],
  readings: Pressure,
  column: keyof PressureCounts,
  by: number,
): Aggregate["pressure"] {
  return Object.entries(readings).reduce(
    (all, [principle, reading]) =>
      changed(
        all,
        principle,
        (found = { good: zeros, bad: zeros, poor: zeros }) => ({
          ...found,
          [column]: found[column].map((count, decile) =>
            decile === decileOf(reading) ? Math.max(0, count + by) : count,
          ),
        }),
        ({ good, bad }) => sumOf(good) + sumOf(bad),
      ),
    pressure,
  );
}

const isPoor = ({ score }: Rating): boolean => (score ?? POOR_SCORE + 1) <= POOR_SCORE;

/** SAP-56: a result is poor once, however many say so, and not where it went wrong by its own record. */
export function poorChange(
  verdict: ReturnType<typeof verdictOf>,
  ratings: { readonly said: Rating; readonly before: Rating | null; readonly others: readonly Rating[] },
): RatingSignal["poor"] {
  const { said, before, others } = ratings;
  if (verdict !== "good" || others.some(isPoor)) return 0;
  const was = before !== null && isPoor(before);
  return was === isPoor(said) ? 0 : was ? -1 : 1;
}

function foldRating(
  aggregate: Aggregate,
  scope: LearningScope,
  { taskId, by }: SignalOf,
  signal: RatingSignal,
): Aggregate {
  const { replaces, score, poor } = signal;
  return {
    ...aggregate,
    ratings: aggregate.ratings + oneIf(replaces === null),
    scores: aggregate.scores + oneIf(score !== null) - oneIf(typeof replaces?.score === "number"),
    scoreSum: aggregate.scoreSum + (score ?? 0) - (replaces?.score ?? 0),
    approved: aggregate.approved + oneIf(signal.approved === true) - oneIf(replaces?.approved === true),
    disapproved:
      aggregate.disapproved + oneIf(signal.approved === false) - oneIf(replaces?.approved === false),
    ...(scope === "all" && poor !== 0
      ? { pressure: countReadings(aggregate.pressure, signal.pressure, "poor", poor) }
      : {}),
    ...(scope === "territory" ? { notes: withNote(aggregate.notes, taskId ?? "", by ?? "", signal) } : {}),
  };
}

/** Of each person and result the last word counts, and no word where it was taken back. */
function withNote(
  notes: readonly Note[],
  taskId: string,
  by: string,
  { score, note }: Rating,
): readonly Note[] {
  const others = notes.filter((one) => one.taskId !== taskId || one.by !== by);
  if (note === null) return others;
  return [...others, { taskId, by, score, note }].slice(-MOST_NOTES);
}
