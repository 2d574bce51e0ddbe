import { z } from "zod";
import { checkNames, type CheckName } from "../gate/finding.ts";
import { printDuration } from "./duration-text.ts";
import { readAs } from "./fault.ts";
import { closed, duration, name } from "./shape.ts";

/** Who may issue tasks for a capability; without an id, anybody of the kind. */
export type IssuerRule = {
  readonly agentKind: "user" | "system" | "agent";
  readonly agentId: string | undefined;
};

/** What of a payload makes it what it is: members by their path, without those that change nothing of the answer. */
export type EssenceRule = {
  readonly include: readonly string[] | undefined;
  readonly exclude: readonly string[];
  /** White space and case of texts mean nothing. */
  readonly foldText: boolean;
};

export type CapabilityRule = {
  readonly capability: string;
  readonly work: { readonly case: "taskType" | "templateId"; readonly value: string };
  readonly issuers: readonly IssuerRule[] | undefined;
  readonly essence: EssenceRule;
  readonly maxCacheAgeMs: number | undefined;
};

export type PrincipleRule = {
  readonly principle: string;
  /** The gate's checks that testify to it. */
  readonly checks: readonly CheckName[];
  /** PSI above which a person other than the submitter decides, and above which the task is refused. */
  readonly escalateAbove: number | undefined;
  readonly refuseAbove: number | undefined;
};

/** What was learnt and accepted: told to whoever works on such a task. */
export type Playbook = {
  readonly capability: string;
  readonly territory: string | undefined;
  readonly text: string;
};

export type SapSection = {
  readonly capabilities: readonly CapabilityRule[];
  readonly principles: readonly PrincipleRule[];
  readonly playbooks: readonly Playbook[];
};

const issuer = closed({
  agent_kind: z.enum(["user", "system", "agent"], {
    error: (issue) => `is ${readAs(issue.input)}. Allowed: user, system, agent`,
  }),
  agent_id: name.optional(),
}).transform((read): IssuerRule => ({ agentKind: read.agent_kind, agentId: read.agent_id }));

/** Steps from an object to its member, joined by dots. */
const memberPath = z.string().min(1).max(500);

const essence = closed({
  include: z.array(memberPath).min(1).max(200).optional(),
  exclude: z.array(memberPath).max(200).default([]),
  fold_text: z.boolean().default(false),
}).transform((read): EssenceRule => ({
  include: read.include,
  exclude: read.exclude,
  foldText: read.fold_text,
}));

export const WHOLE_PAYLOAD: EssenceRule = { include: undefined, exclude: [], foldText: false };

const capability = closed({
  capability: name,
  task_type: name.optional(),
  template_id: name.optional(),
  issuers: z.array(issuer).max(1000).optional(),
  essence: essence.optional(),
  max_cache_age: duration(0).optional(),
})
  .refine(({ task_type, template_id }) => task_type === undefined || template_id === undefined, {
    path: ["template_id"],
    error: "stands beside task_type; a capability is one or the other",
  })
  .transform((read): CapabilityRule => ({
    capability: read.capability,
    work:
      read.template_id === undefined
        ? { case: "taskType", value: read.task_type ?? read.capability }
        : { case: "templateId", value: read.template_id },
    issuers: read.issuers,
    essence: read.essence ?? WHOLE_PAYLOAD,
    maxCacheAgeMs: read.max_cache_age,
  }));

const pressure = z.number().min(0).max(100).optional();

const principle = closed({
  principle: name,
  checks: z
    .array(
      z.enum(checkNames, {
        error: (issue) => `is ${readAs(issue.input)}. Allowed: ${checkNames.join(", ")}`,
      }),
    )
    .min(1)
    .max(checkNames.length)
    .default([...checkNames]),
  escalate_above: pressure,
  refuse_above: pressure,
}).transform((read): PrincipleRule => ({
  principle: read.principle,
  checks: read.checks,
  escalateAbove: read.escalate_above,
  refuseAbove: read.refuse_above,
}));

const playbook = closed({
  capability: name,
  territory: z.string().max(200).optional(),
  text: z.string().min(1).max(8000),
}).transform((read): Playbook => ({ ...read, territory: read.territory }));

export const sapSection = closed({
  capabilities: z.array(capability).max(5000).default([]),
  principles: z.array(principle).max(1000).default([]),
  playbooks: z.array(playbook).max(1000).default([]),
});

/** The section as a document says it. */
export const plainSapSection = ({ capabilities, principles, playbooks }: SapSection) => ({
  capabilities: capabilities.map(({ capability: named, work, issuers, essence: rule, maxCacheAgeMs }) => ({
    capability: named,
    ...(work.case === "templateId" ? { template_id: work.value } : { task_type: work.value }),
    issuers: issuers?.map(({ agentKind, agentId }) => ({ agent_kind: agentKind, agent_id: agentId })),
    essence: { include: rule.include, exclude: rule.exclude, fold_text: rule.foldText },
    max_cache_age: maxCacheAgeMs === undefined ? undefined : printDuration(maxCacheAgeMs),
  })),
  principles: principles.map(({ principle: named, checks, escalateAbove, refuseAbove }) => ({
    principle: named,
    checks,
    escalate_above: escalateAbove,
    refuse_above: refuseAbove,
  })),
  playbooks,
});
