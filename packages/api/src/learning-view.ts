import type {
  AggregateView,
  GivenRating,
  LearningProposal,
  listCacheRecords,
  PipelineResult,
  ProposalInFull,
  RatedTask,
} from "@signalbox/engine";
import { actorView } from "./actor-view.ts";

type CacheRecord = Awaited<ReturnType<typeof listCacheRecords>>["rows"][number];

export const givenRatingView = ({ at, ...rating }: GivenRating) => ({ ...rating, at: at.toISOString() });

/** What was asked and how its Result stands, without what was asked and answered. */
export const ratedTaskView = ({
  submittedBy,
  submittedByType,
  receivedAt,
  hit,
  ratings,
  ...task
}: RatedTask) => ({
  ...task,
  cacheHit: hit,
  submittedBy: actorView(submittedByType, submittedBy),
  receivedAt: receivedAt.toISOString(),
  ratings: ratings.map(givenRatingView),
});

export const pipelineResultView = ({ ratings, ...of }: PipelineResult) => ({
  ...of,
  ratings: ratings.map(givenRatingView),
});

export const cacheRecordView = ({ storedAt, ...record }: CacheRecord) => ({
  ...record,
  storedAt: storedAt.toISOString(),
});

/** Of what a scope does not tell apart there is no name; nor of the territory of tasks that named none. */
const nameOrNull = (name: string): string | null => (name === "" ? null : name);

export const aggregateView = ({
  scope,
  capability,
  territory,
  fingerprint,
  aggregate,
  changedAt,
}: AggregateView) => ({
  by: scope,
  capability: nameOrNull(capability),
  territory: nameOrNull(territory),
  fingerprint: nameOrNull(fingerprint),
  changedAt: changedAt.toISOString(),
  outcomes: {
    total: aggregate.outcomes,
    succeeded: aggregate.succeeded,
    partial: aggregate.partial,
    failed: aggregate.failed,
    cancelled: aggregate.cancelled,
    nonConstitutional: aggregate.nonConstitutional,
  },
  cache: {
    hits: aggregate.hits,
    misses: aggregate.misses,
    records: aggregate.records,
    oldestRecordAt: aggregate.oldestRecordAt,
    newestRecordAt: aggregate.newestRecordAt,
  },
  work: {
    latencyMs: aggregate.latencyMs,
    longestMs: aggregate.longestMs,
    attempts: aggregate.attempts,
    retries: aggregate.retries,
    rejections: aggregate.rejections,
    nextActions: aggregate.nextActions,
  },
  violations: aggregate.violations,
  ratings: {
    total: aggregate.ratings,
    scores: aggregate.scores,
    scoreSum: aggregate.scoreSum,
    approved: aggregate.approved,
    disapproved: aggregate.disapproved,
  },
  principles: aggregate.principles,
  pressure: aggregate.pressure,
  notes: aggregate.notes,
});

export const proposalView = ({
  proposalId,
  kind,
  change,
  why,
  evidence,
  policyVersion,
  proposedAt,
  decision,
}: LearningProposal) => ({
  proposalId,
  kind,
  change,
  why,
  evidence,
  policyVersion,
  proposedAt: proposedAt.toISOString(),
  decision: decision && decisionView(decision),
});

type Decision = NonNullable<LearningProposal["decision"]>;
function decisionView({ word, byType, by, reason, policyVersion, at }: Decision) {
  const decision: "accepted" | "refused" | "superseded" = word;
  return { decision, by: actorView(byType, by), reason, policyVersion, at: at.toISOString() };
}

export const proposalInFullView = ({ effect, ...proposal }: ProposalInFull) => ({
  ...proposalView(proposal),
  effect,
});
