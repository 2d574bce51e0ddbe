import { ResultStatusSchema } from "@signalbox/contracts/sap";
import { z } from "zod";
import { scopes } from "../../learning-bodies.ts";
import { actor, pageOf, time } from "./common.ts";
import { component } from "./component.ts";

const said = {
  score: z.int().min(1).max(5).nullable(),
  approved: z.boolean().nullable(),
  note: z.string().nullable().meta({ description: "Masked, as it is kept." }),
};

export const ratedResult = component("RatedResult", z.strictObject({ taskId: z.uuid(), by: actor, ...said }));

const given = component(
  "GivenRating",
  z.strictObject({ ...said, by: z.string().meta({ description: "The member." }), at: time }),
);
export const ratings = component("Ratings", z.strictObject({ ratings: z.array(given) }));

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const named = {
  capability: z.string(),
  territory: z.string().nullable(),
  fingerprint: digest.meta({
    description: "SHA-256 of the payload's essence, with the attachments where there are some.",
  }),
};

export const resultPage = pageOf(
  "LearningResultPage",
  "results",
  component(
    "LearningResult",
    z.strictObject({
      taskId: z.uuid(),
      ...named,
      pipelineId: z.string().nullable().meta({ description: "Null where the cache answered." }),
      door: z.string(),
      submittedBy: actor,
      receivedAt: time,
      status: ResultStatusSchema,
      alignment: z.enum(["VALID", "NON_CONSTITUTIONAL", "ESCALATE"]),
      cacheHit: z.boolean(),
      ratings: z.array(given).meta({ description: "Of each person the last word." }),
    }),
  ),
);

export const recordPage = pageOf(
  "CacheRecordPage",
  "records",
  component(
    "CacheRecord",
    z.strictObject({
      recordId: z.uuid(),
      cacheKey: digest,
      sapVersion: z.string(),
      ...named,
      taskId: z.uuid().meta({ description: "Whose outcome it is." }),
      producer: z.string(),
      alignment: z.string(),
      digest: digest.meta({ description: "SHA-256 of the record's canonical JSON (RFC 8785)." }),
      storedAt: time,
      replaced: z.boolean().meta({ description: "A newer one stands beside it and answers instead." }),
    }),
  ),
);

const count = z.int().min(0);
const counts = z.array(count).length(10);

export const aggregatePage = pageOf(
  "AggregatePage",
  "aggregates",
  component(
    "Aggregate",
    z.strictObject({
      by: z.enum(scopes),
      capability: z.string().nullable().meta({ description: "Null where all are told together." }),
      territory: z.string().nullable(),
      fingerprint: digest.nullable(),
      changedAt: time,
      outcomes: z.strictObject({
        total: count,
        succeeded: count,
        partial: count,
        failed: count,
        cancelled: count,
        nonConstitutional: count,
      }),
      cache: z.strictObject({
        hits: count,
        misses: count,
        records: count.meta({ description: "That were ever written; none is changed or removed." }),
        oldestRecordAt: time.nullable(),
        newestRecordAt: time.nullable(),
      }),
      work: z
        .strictObject({
          latencyMs: z.number(),
          longestMs: z.number(),
          attempts: z.number(),
          retries: z.number(),
          rejections: z.number(),
          nextActions: z.number(),
        })
        .meta({ description: "Sums, but for the longest." }),
      violations: z.strictObject({ low: count, medium: count, high: count }),
      ratings: z.strictObject({
        total: count,
        scores: count,
        scoreSum: z.int(),
        approved: count,
        disapproved: count,
      }),
      principles: z
        .record(z.string(), z.record(z.string(), count))
        .meta({ description: "How often each was judged how; the most used names." }),
      pressure: z.record(z.string(), z.strictObject({ good: counts, bad: counts, poor: counts })).meta({
        description: "How work went under 0 to 10, above 10 to 20, and so on; of everything together.",
      }),
      notes: z
        .array(z.strictObject({ taskId: z.string(), by: z.string(), score: said.score, note: z.string() }))
        .meta({ description: "The newest that people gave; by territory." }),
    }),
  ),
);

export const playbookList = component(
  "Playbooks",
  z.strictObject({
    policyVersion: z.string().nullable().meta({ description: "Null where none is in force." }),
    playbooks: z.array(
      z.strictObject({
        capability: z.string(),
        territory: z.string().nullable(),
        text: z.string(),
        learnt: z.boolean().meta({ description: "It came of people's notes, and was accepted." }),
      }),
    ),
  }),
);

const change = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("playbook"),
    capability: z.string(),
    territory: z.string().nullable(),
    text: z.string(),
  }),
  z.strictObject({ kind: z.literal("threshold"), principle: z.string(), escalateAbove: z.number() }),
  z.strictObject({
    kind: z.literal("essence"),
    capability: z.string(),
    exclude: z.array(z.string()),
    foldText: z.boolean(),
  }),
]);

const proposed = {
  proposalId: z.uuid(),
  kind: z.enum(["playbook", "threshold", "essence"]),
  change,
  why: z.string(),
  evidence: z.array(z.string()),
  policyVersion: z.string().nullable().meta({ description: "The policy that was in force." }),
  proposedAt: time,
  decision: z
    .strictObject({
      decision: z.enum(["accepted", "refused", "superseded"]),
      by: actor,
      reason: z.string(),
      policyVersion: z.string().nullable().meta({ description: "In which it took effect." }),
      at: time,
    })
    .nullable(),
};

export const proposalPage = pageOf(
  "ProposalPage",
  "proposals",
  component("Proposal", z.strictObject(proposed)),
);

export const proposalInFull = component(
  "ProposalInFull",
  z.strictObject({
    ...proposed,
    effect: z
      .discriminatedUnion("kind", [
        z.strictObject({
          kind: z.literal("changes"),
          replaces: z.string(),
          before: z.string(),
          version: z.string(),
          after: z.string(),
        }),
        z.strictObject({ kind: z.literal("none"), why: z.string() }),
      ])
      .meta({ description: "What accepting it now would make of the policy in force." }),
  }),
);

export const decidedProposal = component(
  "DecidedProposal",
  z.strictObject({
    proposalId: z.uuid(),
    decision: z.enum(["accepted", "refused"]),
    policyVersion: z.string().nullable().meta({ description: "The version in which it takes effect." }),
  }),
);
