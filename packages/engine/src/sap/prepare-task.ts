import { createHash } from "node:crypto";
import { ActorType, SignalboxError } from "@signalbox/contracts";
import { type Task, TaskSchema } from "@signalbox/contracts/sap";
import {
  cacheTexts,
  type Caller,
  canonicalJson,
  type CapabilityRule,
  capabilityOf,
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
  const { task, masked } = maskTask(redactor, sent);
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

/** D16, D21: names find things, so that one which looks like a secret is refused; all else is masked. */
function maskTask(redactor: Redactor, sent: Task): { task: Task; masked: boolean } {
  const { value, marks } = redact(redactor, sent, { root: "sap_task" });
  if (marks.length === 0) return { task: sent, masked: false };
  const read = TaskSchema.safeParse(value);
  if (!read.success) {
    const paths = [...new Set(marks.map(({ path }) => path))].slice(0, 3).join(", ");
    throw new SignalboxError(
      "REDACTION_FAILED",
      `Masked, the task is none any more. What was masked: ${paths}`,
    );
  }
  const task = read.data;
  const changed = (those: (of: Task) => [string, string][]) => {
    const masked = those(task);
    return those(sent).flatMap(([field, said], index) => (said === masked[index]?.[1] ? [] : [field]));
  };
  const violations = [
    ...changed(names).map((field) => ({ field, rule: "no_secret", message: secretName })),
    ...changed(links).map((field) => ({ field, rule: "no_secret", message: secretLink })),
  ];
  refuseMaskedContract(task, marks);
  if (violations.length === 0) return { task, masked: true };
  throw new SignalboxError("VALIDATION_FAILED", "The task names a secret.", { violations });
}

const secretName = "looks like a secret; names are kept and shown as they are";

/** Masked, it leads nowhere, and who works on the task would be the first to see it. */
const secretLink =
  "holds a credential, which is masked before anything is kept, so that nobody could fetch it: " +
  "keep the bytes by POST /v1/attachments and name them signalbox:attachment/<id>, or give a URI without one";

const links = ({ attachments = [] }: Task): [string, string][] =>
  attachments.map(({ uri = "" }, index) => [`attachments[${index}].uri`, uri]);

const names = ({
  taskId,
  correlationId,
  issuer,
  target,
  constitutionalContext,
}: Task): [string, string][] => [
  ["taskId", taskId],
  ["correlationId", correlationId],
  ["issuer.agentId", issuer.agentId],
  ["target.agentId", target.agentId ?? ""],
  ["target.capability", target.capability],
  ["constitutionalContext.territory", constitutionalContext.territory ?? ""],
];
