import { enumFromJson } from "@bufbuild/protobuf";
import { type RiskTier, RiskTierSchema } from "@signalbox/contracts";
import { stringify } from "yaml";
import { z } from "zod";
import { printDuration } from "./duration-text.ts";
import { compileGuardrail, compileRule, type Guardrail } from "../sacp/guardrails.ts";
import { checkAnswerSection } from "./answer-section-checks.ts";
import { type Parsed, readAs } from "./fault.ts";
import { checkHandoffSection, type HandoffRule, handoffSection, plainHandoffs } from "./handoff-section.ts";
import { parseDocument } from "./parse-document.ts";
import { checkRedactionSection } from "./redaction-section-checks.ts";
import { checkRoutingPolicy, type KnownPacks } from "./routing-policy-checks.ts";
import { plainSapSection, type SapSection, sapSection } from "./sap-section.ts";
import { checkSapSection } from "./sap-section-checks.ts";
import { closed, duration, enumName, name, shortNames, version } from "./shape.ts";
import { findUnfitIds } from "./unfit-ids.ts";

const route = closed({
  task_type: name,
  allowed_pack_ids: z.array(name).min(1).max(5000),
  preferred_pack_id: name.optional(),
  min_risk_tier: enumName(RiskTierSchema)
    .transform((tier) => enumFromJson(RiskTierSchema, tier))
    .optional(),
  fallback_pack_id: name.nullable().optional(),
}).transform((read): Route => ({
  taskType: read.task_type,
  allowedPackIds: read.allowed_pack_ids,
  preferredPackId: read.preferred_pack_id,
  minRiskTier: read.min_risk_tier,
  fallbackPackId: read.fallback_pack_id,
}));

const circuitBreaker = closed({
  error_threshold: z.int().min(1).max(10_000),
  window: duration(1),
  half_open_after: duration(1),
}).transform((read): BreakerSettings => ({
  errorThreshold: read.error_threshold,
  windowMs: read.window,
  halfOpenAfterMs: read.half_open_after,
}));

const admission = closed({
  max_global_queue_depth: z.int().min(1).max(10_000_000),
  max_per_pack_concurrent: z.int().min(1).max(1_000_000),
  circuit_breaker: circuitBreaker,
  max_wait: duration(0).optional(),
  absence_grace: duration(0).optional(),
  probation_after: duration(1).optional(),
}).transform((read): Admission => ({
  maxGlobalQueueDepth: read.max_global_queue_depth,
  maxPerPackConcurrent: read.max_per_pack_concurrent,
  circuitBreaker: read.circuit_breaker,
  maxWaitMs: read.max_wait,
  absenceGraceMs: read.absence_grace,
  probationAfterMs: read.probation_after,
}));

const defaults = closed({
  fallback_pack_id: name.nullable().optional(),
  max_candidate_agents: z.int().min(1).max(1000),
  require_healthy: z.boolean(),
}).transform((read): RoutingDefaults => ({
  fallbackPackId: read.fallback_pack_id,
  maxCandidateAgents: read.max_candidate_agents,
  requireHealthy: read.require_healthy,
}));

const conditionalRedaction = closed({
  field: name,
  rule: z.string().min(1).max(500),
  max_length: z.int().min(1).optional(),
}).transform((read): ConditionalRedaction => ({
  field: read.field,
  rule: read.rule,
  maxLength: read.max_length,
}));

const redaction = closed({
  always_redact: z.array(name).max(1000),
  conditional_redact: z.array(conditionalRedaction).max(1000).default([]),
  enforcement: z.array(z.string().min(1).max(500)).max(100).default([]),
}).transform((read): RedactionSection => ({
  alwaysRedact: read.always_redact,
  conditionalRedact: read.conditional_redact,
  enforcement: read.enforcement,
}));

const guardrail = closed({
  name,
  when: z.string().min(1),
  effect: z.enum(["redact_message", "fail"], {
    error: (issue) => `is ${readAs(issue.input)}. Allowed: redact_message, fail`,
  }),
});
const answers = closed({ guardrails: z.array(guardrail).max(100) });

/** A later section is a line here, with the shape its authority gives; what has no shape yet is refused as unknown. */
const routingPolicyDocument = closed({
  routing_policy: closed({ version, routes: z.array(route).max(5000), admission, defaults }),
  redaction_policy: redaction.optional(),
  answer_policy: answers.optional(),
  sap_policy: sapSection.optional(),
  handoffs: handoffSection.optional(),
}).transform(({ routing_policy, redaction_policy, answer_policy, sap_policy, handoffs }): RoutingPolicy => ({
  ...routing_policy,
  redaction: redaction_policy,
  ...(answer_policy === undefined ? {} : { guardrails: answer_policy.guardrails }),
  ...(sap_policy === undefined ? {} : { sap: sap_policy }),
  ...(handoffs === undefined ? {} : { handoffs }),
}));

/** A task type's route. A pack id may be pinned to versions (`parsePackReference`). */
export type Route = {
  taskType: string;
  allowedPackIds: readonly string[];
  preferredPackId: string | undefined;
  minRiskTier: RiskTier | undefined;
  /** D23: undefined takes the default's; null escalates. */
  fallbackPackId: string | null | undefined;
};
export type BreakerSettings = { errorThreshold: number; windowMs: number; halfOpenAfterMs: number };
export type Admission = {
  maxGlobalQueueDepth: number;
  maxPerPackConcurrent: number;
  circuitBreaker: BreakerSettings;
  /** How long a stage waits for a busy pack; undefined takes dispatch's default. */
  maxWaitMs: number | undefined;
  /** How long a stage waits for a pack that is registered but away; undefined takes dispatch's default. */
  absenceGraceMs: number | undefined;
  /** How long after an instance's own results quarantined it, it may work on probation (D7); undefined leaves it to a person. */
  probationAfterMs: number | undefined;
};
export type RoutingDefaults = {
  fallbackPackId: string | null | undefined;
  maxCandidateAgents: number;
  requireHealthy: boolean;
};
export type ConditionalRedaction = { field: string; rule: string; maxLength: number | undefined };
export type RedactionSection = {
  alwaysRedact: readonly string[];
  conditionalRedact: readonly ConditionalRedaction[];
  enforcement: readonly string[];
};
export type RoutingPolicy = {
  version: string;
  routes: readonly Route[];
  admission: Admission;
  defaults: RoutingDefaults;
  redaction: RedactionSection | undefined;
  /** What is done to answers before anybody sees them (SACP 9.1); absent where the policy says nothing of answers. */
  guardrails?: readonly Guardrail[];
  /** What tasks of SAP V2.0 may ask, and who may ask it; absent where the policy says nothing of them. */
  sap?: SapSection;
  /** Which agents may hand a stage on to which (D24); absent where none may. */
  handoffs?: readonly HandoffRule[];
};

/** Reads a routing policy as YAML or JSON. With the packs known, a name that is none of them is a fault. */
export const parseRoutingPolicy = (text: string, known?: KnownPacks): Parsed<RoutingPolicy> =>
  readPolicy(text, { compile: compileGuardrail, judge: findUnfitIds, known });

/** DOC-30: one that was published, perhaps before its ids, or the words that a guardrail compares with, were looked at. */
export const parsePublishedPolicy = (text: string): Parsed<RoutingPolicy> =>
  readPolicy(text, { compile: compileRule, judge: () => [] });

const readPolicy = (
  text: string,
  {
    compile,
    judge,
    known,
  }: { compile: typeof compileGuardrail; judge: typeof findUnfitIds; known?: KnownPacks | undefined },
): Parsed<RoutingPolicy> =>
  parseDocument(text, routingPolicyDocument, (value) => [
    ...checkRoutingPolicy(value, known),
    ...checkRedactionSection(value),
    ...checkAnswerSection(value, compile),
    ...checkSapSection(value),
    ...checkHandoffSection(value, known),
    ...judge(value),
  ]);

/** The policy as YAML that `parseRoutingPolicy` reads back as the same policy. */
export const printRoutingPolicy = (policy: RoutingPolicy): string =>
  stringify({
    routing_policy: {
      version: policy.version,
      routes: policy.routes.map(plainRoute),
      admission: {
        max_global_queue_depth: policy.admission.maxGlobalQueueDepth,
        max_per_pack_concurrent: policy.admission.maxPerPackConcurrent,
        circuit_breaker: {
          error_threshold: policy.admission.circuitBreaker.errorThreshold,
          window: printDuration(policy.admission.circuitBreaker.windowMs),
          half_open_after: printDuration(policy.admission.circuitBreaker.halfOpenAfterMs),
        },
        max_wait: printed(policy.admission.maxWaitMs),
        absence_grace: printed(policy.admission.absenceGraceMs),
        probation_after: printed(policy.admission.probationAfterMs),
      },
      defaults: {
        fallback_pack_id: policy.defaults.fallbackPackId,
        max_candidate_agents: policy.defaults.maxCandidateAgents,
        require_healthy: policy.defaults.requireHealthy,
      },
    },
    redaction_policy: policy.redaction && {
      always_redact: policy.redaction.alwaysRedact,
      conditional_redact: policy.redaction.conditionalRedact.map(({ field, rule, maxLength }) => ({
        field,
        rule,
        max_length: maxLength,
      })),
      enforcement: policy.redaction.enforcement,
    },
    answer_policy: policy.guardrails && { guardrails: policy.guardrails },
    sap_policy: policy.sap && plainSapSection(policy.sap),
    handoffs: policy.handoffs && plainHandoffs(policy.handoffs),
  });

const printed = (milliseconds: number | undefined) =>
  milliseconds === undefined ? undefined : printDuration(milliseconds);

const plainRoute = (read: Route) => ({
  task_type: read.taskType,
  allowed_pack_ids: read.allowedPackIds,
  preferred_pack_id: read.preferredPackId,
  min_risk_tier: read.minRiskTier === undefined ? undefined : tierNames[read.minRiskTier],
  fallback_pack_id: read.fallbackPackId,
});

const tierNames = ["", ...shortNames(RiskTierSchema).keys()];
