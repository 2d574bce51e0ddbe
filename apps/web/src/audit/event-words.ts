import { attendanceByName } from "@signalbox/core/attendance-text";
import type { AuditEventName } from "@signalbox/api";

/** What happened, in words that stand in front of who and why. One for each that the contract has. */
const eventWords: Readonly<Record<AuditEventName, string>> = {
  PIPELINE_CREATED: "Pipeline created",
  PIPELINE_COMPLETED: "Pipeline completed",
  PIPELINE_FAILED: "Pipeline failed",
  PIPELINE_PAUSED: "Pipeline paused",
  PIPELINE_RESUMED: "Pipeline resumed",
  PIPELINE_ABORTED: "Pipeline aborted",
  DISPATCH_DECISION: "Dispatch decided",
  DISPATCH_SENT: "Dispatch sent",
  DISPATCH_TIMEOUT: "Dispatch timed out",
  DISPATCH_CANCELLED: "Dispatch cancelled",
  RESULT_RECEIVED: "Result received",
  RESULT_VALIDATED: "Result valid",
  RESULT_INVALID: "Result invalid",
  GATE_PASSED: "Gate passed",
  GATE_FAILED: "Gate failed",
  GATE_REJECTED: "Gate rejected",
  AGENT_QUARANTINED: "Instance quarantined",
  AGENT_RESTORED: "Instance restored",
  ESCALATION: "Escalation opened",
  ESCALATION_RESOLVED: "Escalation resolved",
  ESCALATION_ASSIGNED: "Escalation assigned",
  ESCALATION_COMMENTED: "Escalation commented on",
  ATTACHMENT_KEPT: "Attachment kept",
  ATTACHMENT_HANDED_OUT: "Attachment handed out",
  PACK_REGISTERED: "Pack registered",
  TENANT_CREATED: "Tenant created",
  INSTANCE_FIRST_SEEN: "Instance first seen",
  INSTANCE_DRAINED: "Instance asked to drain",
  INSTANCE_RESUMED: "Instance resumed",
  POLICY_PUBLISHED: "Policy published",
  TEMPLATE_PUBLISHED: "Templates published",
  POLICY_DRAFTED: "Policy drafted",
  POLICY_RETIRED: "Policy retired",
  TEMPLATE_DRAFTED: "Templates drafted",
  TEMPLATE_RETIRED: "Templates retired",
  POLICY_DISCARDED: "Policy discarded",
  TEMPLATE_DISCARDED: "Templates discarded",
  MEMBER_ADDED: "Member added",
  MEMBER_CHANGED: "Member changed",
  MEMBER_REMOVED: "Member removed",
  KEY_CREATED: "Key created",
  KEY_REVOKED: "Key revoked",
  SIGN_IN_LINK_CREATED: "Sign-in link made",
  SIGNED_IN: "Signed in",
  SIGN_IN_REFUSED: "Sign-in refused",
  SIGNED_OUT: "Signed out",
  TASK_SUBMITTED: "Task submitted",
  TASK_REFUSED: "Task refused",
  TASK_ANSWERED: "Task answered",
  TASK_REPORTED: "Task reported on",
  RESULT_RATED: "Result rated",
  LEARNING_PROPOSED: "Learning proposed",
  LEARNING_DECIDED: "Learning decided",
  STAGE_REWOUND: "Stage rewound",
  COMMIT_NOTED: "Commit noted",
  AUDIT_EXPORTED: "Audit exported",
  RETENTION_APPLIED: "Retention applied",
  RETENTION_HOLD_PLACED: "Hold placed",
  RETENTION_HOLD_RELEASED: "Hold released",
  RETENTION_CHANGED: "Retention changed",
  HANDOFF_REQUESTED: "Handoff requested",
  HANDOFF_APPROVED: "Handoff approved",
  HANDOFF_REFUSED: "Handoff refused",
  ALERT_FIRED: "Alert fired",
  ALERT_RESOLVED: "Alert resolved",
  REDACTION_BLOCKED: "Redaction blocked",
};

const isEventName = (name: string): name is AuditEventName => Object.hasOwn(eventWords, name);
export const eventNames = Object.keys(eventWords).filter(isEventName);

/** A later server's type has no word here, and is shown by its name. */
export const wordOf = (eventType: string): string =>
  isEventName(eventType) ? eventWords[eventType] : eventType;

/** Why, in words: whom a question was given to stands on record by id (ESC-12), and is shown by name as whoever did it is. */
export const reasonOf = (
  { eventType, rationale }: { eventType: string; rationale: string },
  nameOf: (id: string) => string,
): string => (eventType === "ESCALATION_ASSIGNED" ? attendanceByName(rationale, nameOf) : rationale);

/** A pipeline's facts have codes for what was done, and what somebody did has a sentence: a title is never a code. */
export const titleOf = ({ action, eventType }: { action: string; eventType: string }): string =>
  action === "" || isCode(action) ? wordOf(eventType) : action;

/** What the title leaves unsaid: the code where it is a word, and the word where it is a sentence. */
export const kindOf = ({ action, eventType }: { action: string; eventType: string }): string =>
  isCode(action) ? action : wordOf(eventType);

const isCode = (action: string): boolean => /^[a-z]+([.-][a-z]+)+$/.test(action);
