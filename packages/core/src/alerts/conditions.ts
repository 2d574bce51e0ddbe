import { ANSWER_WITHIN_MS } from "../pipeline/attendance.ts";

/** What the tables hold at the moment of asking; times in milliseconds. */
export type AlertFacts = {
  readonly waiting: {
    /** Escalations that are open, counted up to some bound. */
    readonly open: number;
    /** When the oldest that alone would be one too many was opened; null while there are few. */
    readonly fourthOpenedAt: number | null;
  };
  /** Open escalations because nobody could take a stage. */
  readonly refused: { readonly open: number; readonly oldestOpenedAt: number | null };
  /** Packs that have instances, none of which is there and HEALTHY, and since when. */
  readonly silentPacks: readonly {
    readonly packId: string;
    readonly instances: number;
    readonly since: number;
  }[];
  /** Of what was answered within the last day; null where nothing was. */
  readonly answers: { readonly count: number; readonly slowMs: number } | null;
  /** As long as they let nothing through. */
  readonly openBreakers: readonly {
    readonly packId: string;
    readonly taskType: string;
    readonly since: number;
  }[];
};

export const conditionNames = [
  "escalation-backlog",
  "no-candidates",
  "pack-out-of-service",
  "escalations-answered-late",
  "breaker-open",
] as const;
export type ConditionName = (typeof conditionNames)[number];

export type AlertCondition = {
  readonly alert: ConditionName;
  readonly severity: "SEV2" | "SEV3";
  /** When it holds from, which may be to come; null: for as long as anybody knows. */
  readonly holdsFrom: number | null;
  readonly detail: string;
  readonly packId: string | null;
  /** Of what it holds: of two of one kind each has its own. */
  readonly subject: string;
};

/** a2a-design 5.6 */
export const BACKLOG_ABOVE = 3;
/** The share of answers that are to be in time. */
export const ANSWERED_AT_LEAST = 0.95;
const MINUTE_MS = 60_000;
const BACKLOG_AFTER_MS = 10 * MINUTE_MS;
const REFUSED_AFTER_MS = 5 * MINUTE_MS;
const SILENT_AFTER_MS = 2 * MINUTE_MS;

export function alertConditions(facts: AlertFacts, now: number): AlertCondition[] {
  const found = [
    ...backlog(facts),
    ...withoutCandidates(facts),
    ...silent(facts),
    ...slow(facts),
    ...failing(facts),
  ];
  const rank = (one: AlertCondition) => (holdsAt(one, now) ? 0 : 2) + (one.severity === "SEV2" ? 0 : 1);
  return found.toSorted(
    (one, other) => rank(one) - rank(other) || (one.holdsFrom ?? 0) - (other.holdsFrom ?? 0),
  );
}

export const holdsAt = ({ holdsFrom }: Pick<AlertCondition, "holdsFrom">, now: number): boolean =>
  holdsFrom === null || holdsFrom <= now;

function backlog({ waiting: { open, fourthOpenedAt } }: AlertFacts): AlertCondition[] {
  if (fourthOpenedAt === null) return [];
  return [
    {
      alert: "escalation-backlog",
      severity: "SEV2",
      holdsFrom: fourthOpenedAt + BACKLOG_AFTER_MS,
      detail: `${open} escalations wait for a person; more than ${BACKLOG_ABOVE} are a backlog.`,
      packId: null,
      subject: "",
    },
  ];
}

function withoutCandidates({ refused: { open, oldestOpenedAt } }: AlertFacts): AlertCondition[] {
  if (oldestOpenedAt === null) return [];
  return [
    {
      alert: "no-candidates",
      severity: "SEV2",
      holdsFrom: oldestOpenedAt + REFUSED_AFTER_MS,
      detail:
        open === 1
          ? "Of one stage nobody could take the work."
          : `Of ${open} stages nobody could take the work.`,
      packId: null,
      subject: "",
    },
  ];
}

const silent = ({ silentPacks }: AlertFacts): AlertCondition[] =>
  silentPacks.map(({ packId, instances, since }) => ({
    alert: "pack-out-of-service",
    severity: "SEV2",
    holdsFrom: since + SILENT_AFTER_MS,
    detail:
      instances === 1
        ? `The only instance of ${packId} is away or not healthy.`
        : `Each of the ${instances} instances of ${packId} is away or not healthy.`,
    packId,
    subject: packId,
  }));

function slow({ answers }: AlertFacts): AlertCondition[] {
  if (answers === null || answers.slowMs <= ANSWER_WITHIN_MS) return [];
  return [
    {
      alert: "escalations-answered-late",
      severity: "SEV3",
      holdsFrom: null,
      detail: `Of ${answers.count} that were answered within a day, one in twenty took ${Math.floor(answers.slowMs / MINUTE_MS)} minutes or longer; ${ANSWER_WITHIN_MS / MINUTE_MS} are allowed.`,
      packId: null,
      subject: "",
    },
  ];
}

const failing = ({ openBreakers }: AlertFacts): AlertCondition[] =>
  openBreakers.map(({ packId, taskType, since }) => ({
    alert: "breaker-open",
    severity: "SEV2",
    holdsFrom: since,
    detail: `${packId} failed at ${taskType} so often that it is given none of it for a while.`,
    packId,
    subject: JSON.stringify([packId, taskType]),
  }));
