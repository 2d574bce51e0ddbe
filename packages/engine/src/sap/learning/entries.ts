import { AuditEventType, type AuditEntry } from "@signalbox/contracts";
import { type Actor, type Proposal, type Rating, sapEntry } from "@signalbox/core";

type Context = { readonly tenantId: string; readonly requestId: string };
type ByPerson = Context & { readonly actor: Actor };

export const resultRated = (
  context: ByPerson,
  taskId: string,
  { score, approved, note }: Rating,
): AuditEntry =>
  sapEntry(context, {
    eventType: AuditEventType.RESULT_RATED,
    action: `rated the result of SAP task ${taskId}`,
    rationale: [
      score === null ? "" : `${score} of 5.`,
      approved === null ? "" : approved ? "Approved." : "Not approved.",
      note === null ? "" : note,
    ]
      .filter((text) => text !== "")
      .join(" "),
  });

export const proposalMade = (context: Context, proposalId: string, { change, why }: Proposal): AuditEntry =>
  sapEntry(context, {
    eventType: AuditEventType.LEARNING_PROPOSED,
    action: `proposed ${nouns[change.kind]} (${proposalId})`,
    rationale: why,
  });

export const proposalDecided = (
  context: ByPerson,
  proposalId: string,
  { change }: Proposal,
  { word, reason, policyVersion }: { word: string; reason: string; policyVersion: string | null },
): AuditEntry =>
  sapEntry(context, {
    eventType: AuditEventType.LEARNING_DECIDED,
    action: `${word} ${nouns[change.kind]} (${proposalId})`,
    rationale:
      policyVersion === null ? reason : `${reason} It takes effect in routing policy ${policyVersion}.`,
  });

const nouns = {
  playbook: "a playbook",
  threshold: "a threshold of pressure",
  essence: "an essence rule",
} as const;
