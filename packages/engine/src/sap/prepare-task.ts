import { createHash } from "node:crypto";
import { ActorType, SignalboxError } from "@signalbox/contracts";
import { type Task, TaskSchema } from "@signalbox/contracts/sap";
import {
  cacheTexts,
  type Caller,
  canonicalJson,
  type CapabilityRule,
  capabilityOf,
  type Mark as RedactionMark,
  mayIssue,
  redact,
  type Redactor,
  refuseMaskedContract,
  refuseMisspelt,
  refuseUnderPressure,
  refuseUnusableContract,
  type RoutingPolicy,
  type SentIdentity,
} from "@signalbox/core";
import type { NewSapTask, Seal } from "@signalbox/db";
import { changedPlaces, maskedLinkFaults, type Placed } from "../masked-links.ts";
import { refuseHalfPairs } from "../storable.ts";

/** A task on its way in, and who brought it. */
export type SapIntake = {
  readonly caller: Caller;
  readonly requestId: string;
  /** As it was sent, of the schema. */
  readonly task: Task;
  /** The way it came. */
  readonly door: string;
};

export type PreparedTask = {
  /** As it may be stored and worked on: masked. */
  readonly task: Task;
  readonly rule: CapabilityRule;
  readonly row: NewSapTask;
};

/** Known by all nodes and not by the database, so that what was masked cannot be guessed from it (ADR 0021). */
type Mark = Pick<Seal, "fingerprint">;

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const actorTypes = { human: ActorType.HUMAN, agent: ActorType.AGENT, system: ActorType.SYSTEM } as const;

/** What the policy in force makes of a task: its capability, its issuer, its pressure, its cache key. */
export function prepareTask(
  policy: RoutingPolicy,
  redactor: Redactor,
  mark: Mark,
  { caller, task: sent, door }: SapIntake,
): PreparedTask {
  const rule = capabilityOf(policy, sent);
  const allowed = mayIssue(caller, sent.issuer, rule);
  if (!allowed.allowed) throw new SignalboxError("FORBIDDEN", `Not allowed: ${allowed.reason}.`);
  refuseMisspelt(sent.constitutionalContext, policy.sap?.principles);
  refuseUnderPressure(sent.constitutionalContext, policy.sap?.principles ?? []);
  refuseUnusableContract(sent, rule);
  const { task, marks } = maskTask(redactor, sent);
  refuseMasked(sent, task, marks);
  const masked = marks.length > 0;
  const text = JSON.stringify(task);
  refuseHalfPairs(text);
  const { key, essence } = cacheTexts(task, rule);
  return {
    task,
    rule,
    row: {
      tenantId: caller.tenantId,
      taskId: task.taskId,
      parentTaskId: task.parentTaskId ?? null,
      capability: task.target.capability,
      territory: task.constitutionalContext.territory ?? null,
      pipelineId: null,
      cacheKey: sha256(key),
      fingerprint: sha256(essence),
      digest: sha256(canonicalJson(task)),
      masked,
      sentFingerprint: masked ? sentFingerprint(mark, caller.tenantId, canonicalJson(sent)) : null,
      submittedByType: actorTypes[caller.actor.type],
      submittedBy: caller.actor.id,
      door,
      task: text,
    },
  };
}

const sentFingerprint = (mark: Mark, tenantId: string, canonical: string): string =>
  Buffer.from(mark.fingerprint(`sap task\n${tenantId}\n${canonical}`)).toString("hex");

/** SAP-13 */
export function sentIdentity(
  redactor: Redactor,
  mark: Mark,
  { caller, task: sent }: SapIntake,
): SentIdentity {
  const canonical = canonicalJson(sent);
  return {
    maskedDigest: () => sha256(canonicalJson(maskTask(redactor, sent).task)),
    sentDigest: sha256(canonical),
    sentFingerprint: sentFingerprint(mark, caller.tenantId, canonical),
  };
}

/** D16, D21: as it may be kept. */
function maskTask(redactor: Redactor, sent: Task): { task: Task; marks: readonly RedactionMark[] } {
  const { value, marks } = redact(redactor, sent, { root: "sap_task" });
  if (marks.length === 0) return { task: sent, marks };
  const read = TaskSchema.safeParse(value);
  if (read.success) return { task: read.data, marks };
  const paths = [...new Set(marks.map(({ path }) => path))].slice(0, 3).join(", ");
  throw new SignalboxError(
    "REDACTION_FAILED",
    `Masked, the task is none any more. What was masked: ${paths}`,
  );
}

/** Names find things, and references lead somewhere, so that one which looks like a secret is refused; all else is masked. */
function refuseMasked(sent: Task, task: Task, marks: readonly RedactionMark[]): void {
  refuseMaskedContract(task, marks);
  const violations = [
    ...changedPlaces(names(sent), names(task)).map((field) => ({
      field,
      rule: "no_secret",
      message: secretName,
    })),
    ...maskedLinkFaults(links(sent), links(task)),
  ];
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The task names a secret.", { violations });
}

const secretName = "looks like a secret; names are kept and shown as they are";

const links = ({ attachments = [], constitutionalContext: { references = [] } }: Task): Placed => [
  ...attachments.map(({ uri = "" }, index) => [`attachments[${index}].uri`, uri] as const),
  ...references.map((text, index) => [`constitutionalContext.references[${index}]`, text] as const),
];

const names = ({ taskId, correlationId, issuer, target, constitutionalContext }: Task): Placed => [
  ["taskId", taskId],
  ["correlationId", correlationId],
  ["issuer.agentId", issuer.agentId],
  ["target.agentId", target.agentId ?? ""],
  ["target.capability", target.capability],
  ["constitutionalContext.territory", constitutionalContext.territory ?? ""],
];
