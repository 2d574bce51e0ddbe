export {
  type AuditContext,
  keyCreated,
  keyRevoked,
  auditExported,
  packRegistered,
  redactionBlocked,
  sapEntry,
  attachmentHandedOut,
  attachmentKept,
  signedOut,
  signInLinkCreated,
  signInRefused,
  tenantCreated,
} from "./audit-entries.ts";
export {
  type Actor,
  type Caller,
  isMemberRole,
  isRole,
  type MemberRole,
  memberRoles,
  type Role,
  roles,
} from "./caller.ts";
export {
  checkCapabilitySchema,
  checkOrchestratorVersion,
  type Incompatibility,
  type Orchestrator,
} from "./compatibility.ts";
export { assembleContext, effectiveContextLevel } from "./dispatch/assemble-context.ts";
export {
  type BreakerEvent,
  type BreakerPhase,
  breakerPhase,
  type BreakerState,
  breakerVerdict,
  closedBreaker,
  stepBreaker,
} from "./dispatch/breaker.ts";
export { buildEnvelope, type EnvelopeParts } from "./dispatch/build-envelope.ts";
export {
  checkResult,
  type ExpectedResult,
  type InvalidReason,
  type ResultCheck,
  type ResultFault,
} from "./dispatch/check-result.ts";
export { decideDispatch, type DispatchDecision } from "./dispatch/decide-dispatch.ts";
export {
  type AttemptRecord,
  dispatchSnapshot,
  readDispatchRecord,
  type RecordedFacts,
} from "./dispatch/dispatch-record.ts";
export {
  type CandidateJudgement,
  explainDispatch,
  type Explanation,
  type InstanceJudgement,
  type RankedPack,
  restorableInstance,
  type VersionJudgement,
} from "./dispatch/explain-dispatch.ts";
export {
  type PinnedRef,
  blockText,
  type FreshnessDecision,
  judgeFreshness,
  type RefBlock,
  type RefreshOutcome,
  refsToRefresh,
} from "./dispatch/freshness.ts";
export { decisionText, rejectionText } from "./dispatch/reason-text.ts";
export {
  type Destination,
  type RegisteredManifests,
  type ReplayedDispatch,
  replayDispatch,
} from "./dispatch/replay-dispatch.ts";
export type { EscalationReason, RejectionReason, WaitReason } from "./dispatch/reasons.ts";
export {
  instanceFacts,
  type InstanceFacts,
  type InstanceRef,
  type KnownOfInstance,
  type OrchestratorIdentity,
} from "./dispatch/registry-facts.ts";
export type { DispatchRequest } from "./dispatch/request.ts";
export { requiredTools } from "./dispatch/required-tools.ts";
export { effectiveRiskTier } from "./dispatch/risk.ts";
export {
  type BreakerFacts,
  compileSnapshot,
  findInstance,
  type RegistryFacts,
  type Snapshot,
  withBreaker,
  withDispatches,
  withInstance,
  withInstances,
  withoutInstance,
  withPack,
  withPolicy,
} from "./dispatch/snapshot.ts";
export {
  type DocumentExpectation,
  type DocumentKind,
  documentKinds,
  documentNouns,
  type DocumentOf,
  readDocument,
  readPublishedDocument,
} from "./documents/document-kinds.ts";
export { DURATION_EXAMPLES, parseDuration } from "./documents/duration-text.ts";
export type { Fault, FaultRule, Parsed } from "./documents/fault.ts";
export {
  decideDiscard,
  decideDraft,
  decideEdit,
  decidePublication,
  describeDocumentRefusal,
  type DocumentRefusal,
  documentRefusalCode,
  type DocumentStatus,
  type DocumentVersion,
  type Publication,
  type PublicationSeen,
} from "./documents/lifecycle.ts";
export {
  documentDiscarded,
  documentDrafted,
  documentEdited,
  documentPublished,
} from "./documents/lifecycle-entries.ts";
export { parsePackReference, type PackReference } from "./documents/pack-reference.ts";
export {
  parsePipelineTemplates,
  type PipelineTemplate,
  type PipelineTemplates,
  printPipelineTemplates,
  type TemplateStage,
} from "./documents/pipeline-templates.ts";
export { noPolicy } from "./documents/no-policy.ts";
export { redactionPolicyOf } from "./documents/redaction-section-checks.ts";
export {
  examineRoutingPolicy,
  type PolicyFinding,
  type PolicySurroundings,
} from "./documents/routing-policy-findings.ts";
export type { KnownPacks } from "./documents/routing-policy-checks.ts";
export {
  type Change,
  diffRoutingPolicies,
  isUnchanged,
  type RouteChange,
  type RoutingPolicyDiff,
} from "./documents/routing-policy-diff.ts";
export {
  type Admission,
  type BreakerSettings,
  type ConditionalRedaction,
  parseRoutingPolicy,
  printRoutingPolicy,
  type RedactionSection,
  type Route,
  type RoutingDefaults,
  type RoutingPolicy,
} from "./documents/routing-policy.ts";
export {
  firstMemberAdded,
  identityBound,
  keyIssued,
  keyWithdrawn,
  memberChanged,
  memberInvited,
  memberLinkCreated,
  memberRemoved,
  memberSignedOut,
  passwordChosen,
  passwordOrIdentityRefused,
  sessionClosed,
  sessionReplaced,
  signedIn,
  unknownPerson,
  tokenIssued,
  tokenWithdrawn,
} from "./identity/entries.ts";
export { keyActorId, keyIdOf, keyLabelOf } from "./identity/key-actor.ts";
export { findKeyFaults, type KeyWish } from "./identity/keys.ts";
export {
  decideMemberChange,
  findMemberFaults,
  mayLeave,
  type MemberWish,
  normalEmail,
} from "./identity/members.ts";
export {
  findPasswordFaults,
  normalPassword,
  passwordLength,
  passwordNeeds,
  type PasswordStanding,
} from "./identity/passwords.ts";
export {
  addressGroup,
  type AttemptLimit,
  attemptLimits,
  decideOidcMember,
  type OidcClaims,
  sessionMinutes,
  type SignInMethod,
  tokenMethod,
} from "./identity/sign-in.ts";
export { findTokenFaults, mostTokens, tokenHours, type TokenWish } from "./identity/tokens.ts";
export { findIdentifierFaults, identifierForm, identifierLimits } from "./identifier.ts";
export { mayWait } from "./limits/may-wait.ts";
export { type Rate, refillMs, spend, type Spending } from "./limits/spend.ts";
export { findPackNameFaults } from "./pack-name.ts";
export { findPackSecrets } from "./pack-secrets.ts";
export { decidePackRegistration, differingFields, type PackRegistration } from "./pack-registration.ts";
export { type Action, actions, type Decision, may, type Subjects } from "./permissions.ts";
export { type BuiltPlan, buildPlan, type PipelineDefinition, type PlanFault } from "./pipeline/build-plan.ts";
export { checkEvent } from "./pipeline/check-event.ts";
export { type Claim, claimsOf } from "./pipeline/claim.ts";
export { deadlineAt } from "./pipeline/clock.ts";
export { noWayOn } from "./pipeline/edges.ts";
export { refuseLateTask } from "./pipeline/late-task.ts";
export type { LeftOut } from "./pipeline/context/bounded-text.ts";
export {
  contextLimits,
  propagateContext,
  type PropagatedContext,
} from "./pipeline/context/propagate-context.ts";
export { createPipeline, type PipelineCreation } from "./pipeline/create-pipeline.ts";
export { keptTitle } from "./pipeline/kept-title.ts";
export { decide, type PipelineDecision } from "./pipeline/decide.ts";
export type { Effect } from "./pipeline/effect.ts";
export type {
  Escalation,
  EscalationCause,
  EscalationEnd,
  EscalationOption,
  Resolution,
} from "./pipeline/escalation.ts";
export {
  agesOf,
  ANSWER_WITHIN_MS,
  type AssignmentDecision,
  decideAssignment,
  escalationAssigned,
  escalationCommented,
  type Timeliness,
  timelinesses,
  timelinessOf,
} from "./pipeline/attendance.ts";
export type { EventKind, Fence, PipelineEvent } from "./pipeline/event.ts";
export type {
  AuditFact,
  Decider,
  DispatchEndSnapshot,
  FactAction,
  FactSnapshot,
  PipelineSnapshot,
  RetryBudget,
  StateChange,
} from "./pipeline/fact.ts";
export { type Folded, foldPipeline } from "./pipeline/fold.ts";
export {
  dispatchIdOf,
  type DispatchPlace,
  escalationIdOf,
  type EscalationPlace,
  idempotencyKeyOf,
  readDispatchId,
  readEscalationId,
} from "./pipeline/ids.ts";
export type { Judgement } from "./pipeline/judgement.ts";
export { finished, permits, pipelineTransitions, stageTransitions } from "./pipeline/permits.ts";
export { type PipelinePlan, stageIndex, type StagePlan } from "./pipeline/plan.ts";
export { mayAbort, mayPause, mayResolve, mayResume, mayRewind, type Permit } from "./pipeline/predicates.ts";
export { type Refusal, refusalCode, type RefusalReason } from "./pipeline/refusal.ts";
export { describeRefusal } from "./pipeline/refusal-text.ts";
export { refusalViolations } from "./pipeline/refusal-violations.ts";
export type {
  Clock,
  CurrentDispatch,
  DispatchWait,
  Feedback,
  Pause,
  PauseReason,
  PipelineEnd,
  PipelineState,
  Reroute,
  StageFailure,
  StageResult,
  StageState,
} from "./pipeline/state.ts";
export { type PipelineSummary, summarizePipeline } from "./pipeline/summarize.ts";
export { assembleState, type StoredPipeline } from "./record/assemble-state.ts";
export {
  type AttemptFact,
  gateOfAttempt,
  type GateStanding,
  type RecordedGate,
} from "./record/attempt-record.ts";
export { auditEntryJson, type EntryContext, factOf } from "./record/entry-json.ts";
export {
  escalationEndJson,
  escalationJson,
  readEscalation,
  readEscalationEnd,
} from "./record/escalation-codec.ts";
export { type FoldedEntries, foldEntries } from "./record/fold-entries.ts";
export { type PipelineHead, pipelineStateJson, readPipelineState } from "./record/pipeline-codec.ts";
export { planJson, readPlan } from "./record/plan-codec.ts";
export { RecordFault } from "./record/record-fault.ts";
export { readStageState, stageStateJson } from "./record/stage-codec.ts";
export { type AttemptOutcome, outcomeInSpans } from "./trace/attempt-outcome.ts";
export { dispatchSpans, type SentAttempt } from "./trace/dispatch-spans.ts";
export { type ReportedAttempt, resultSpans } from "./trace/result-spans.ts";
export type { Span } from "./trace/span.ts";
export { executionSpanId, stageSpanId } from "./trace/span-ids.ts";
export type { StoredSpan } from "./trace/stored-span.ts";
export type { TracedToolEvent } from "./trace/tool-call-spans.ts";
export { isSampled, otlpTraces, type TraceSource } from "./trace/otlp.ts";
export { traceTree, type TracedPipeline } from "./trace/trace-tree.ts";
export {
  type Readiness,
  type ReadinessCheck,
  type ReadinessFacts,
  readinessOf,
  type ReadinessStatus,
  sameReadiness,
} from "./readiness.ts";
export { type Check, type CheckName, checkNames, type Finding } from "./gate/finding.ts";
export { evidenceText, findingText } from "./gate/finding-text.ts";
export type { GateInput, WorkReport } from "./gate/gate-input.ts";
export { isLimited, readUsedTools, type ReportedWork, workReport } from "./gate/reported-work.ts";
export { type AskReason, type GateDecision, judgeResult } from "./gate/judge-result.ts";
export {
  decideStanding,
  probationAt,
  effectiveHealth,
  GOOD_STANDING,
  INVALID_RESULTS_TO_QUARANTINE,
  type Standing,
  type StandingDecision,
  type StandingEntry,
  type StandingEvent,
} from "./gate/quarantine.ts";
export { printBreakerState, readBreakerState } from "./registry/breaker-json.ts";
export { findHeartbeatFaults, instanceLease, leaseMsOf } from "./registry/heartbeat.ts";
export {
  factsOfInstance,
  FORGET_AFTER_MS,
  healthOf,
  type InstancePresence,
  type KnownInstance,
  mayForget,
  presenceOf,
} from "./registry/instance.ts";
export {
  decideDraining,
  type Draining,
  type DrainingDecision,
  type DrainingEntry,
  type DrainingEvent,
} from "./registry/draining.ts";
export { drainingChanged, instanceFirstSeen, standingChanged } from "./registry/instance-entries.ts";
export { commitIn } from "./saop/commit-in.ts";
export {
  type ClaimedConfidence,
  confidenceText,
  type ConfidenceVerdict,
  type ConfidenceWatch,
  judgeConfidence,
  TREND_TURNS,
} from "./saop/confidence.ts";
export { type JsonObject, maskTurn } from "./saop/mask-report.ts";
export { readEvents, readTurn } from "./saop/read-reports.ts";
export { judgeReporting, type KnownDispatch } from "./saop/reporting.ts";
export { type RecordedFact, taskTransitions, type TaskTransition } from "./saop/task-transition.ts";
export { turnsOfEvents } from "./saop/turn-of-event.ts";
export {
  type ArrivingEvent,
  type KeptEvent,
  openTurnStream,
  takeEvents,
  type TurnStream,
} from "./saop/turn-stream.ts";
export { printTurnStream, readSilentStream, readTurnStream, saysNothing } from "./saop/turn-stream-json.ts";
export { DEFAULT_POLICY, type RedactionPolicy } from "./redaction/policy.ts";
export { DEFAULT_REDACTION_LIMITS, type Mark, type RedactionLimits } from "./redaction/redact-value.ts";
export type { RedactedText } from "./redaction/redact-text.ts";
export {
  compileRedactor,
  redact,
  type Redacted,
  redactRationale,
  redactText,
  type Redactor,
} from "./redaction/redactor.ts";
export type { SecretRule } from "./redaction/secret-rule.ts";
export { type CataloguedRule, redactionRules } from "./redaction/rule-catalogue.ts";
export { secretRules } from "./redaction/secret-rules.ts";
export {
  createStreamRedactor,
  LONGEST_HELD,
  type StreamRedactor,
  type StreamState,
  type StreamStep,
} from "./redaction/stream-redactor.ts";
export { manifestOf } from "./attempt/answer-format.ts";
export { breakerEnding } from "./attempt/breaker-ending.ts";
export { type Overdue, overdueEvent } from "./attempt/overdue.ts";
export type { AttemptFacts, StageAttempt } from "./attempt/attempt-facts.ts";
export { attemptStage } from "./attempt/attempt-stage.ts";
export { type MetricName, type MetricOf, metrics, type Observation } from "./metrics/metrics.ts";
export { type CommittedChange, observePipeline } from "./metrics/observe-pipeline.ts";
export { type HandoffAsked, judgeHandoff } from "./attempt/judge-handoff.ts";
export { judgeReport, type Report, type ReportFacts, type ReportJudgement } from "./attempt/judge-report.ts";
export { type StageTask, type Task, taskOf } from "./attempt/task.ts";
export { sacpResult } from "./sacp/sacp-result.ts";
export { otherRefusals, refusalOf } from "./pipeline/events/dispatch-refused.ts";
export {
  type AlertCondition,
  alertConditions,
  type AlertFacts,
  ANSWERED_AT_LEAST,
  BACKLOG_ABOVE,
  type ConditionName,
} from "./alerts/conditions.ts";
export { alertFired, alertResolved, type FiredAlert, stepAlerts } from "./alerts/fired-alerts.ts";
export {
  alertRaisedEvent,
  alertResolvedEvent,
  documentEvent,
  type DocumentNews,
  escalationAssignedEvent,
  escalationCommentedEvent,
  type FeedEvent,
  instanceEvent,
  type InstanceNews,
  learningEvent,
  mayEndStanding,
  keyEvent,
  memberEvent,
  retentionEvent,
  packRegisteredEvent,
  pipelineEvents,
  INSTANCE_HEARD,
} from "./stream/feed-event.ts";
export {
  comparePositions,
  type CursorJudgement,
  type FeedCursor,
  type FeedPosition,
  judgeCursor,
} from "./stream/position.ts";
export {
  familiesOf,
  familyOf,
  mayListen,
  readTopic,
  type Topic,
  topicKinds,
  topicNames,
  topicsOf,
  topicText,
} from "./stream/topic.ts";
export { isRequestKey, judgeRepeat, type Once } from "./repeated/repeated-request.ts";
export {
  ALL_ATTACHMENTS,
  attachmentFaults,
  type AttachmentSaid,
  attachmentUri,
  isAttachmentId,
  LARGEST_ATTACHMENT,
  namesAttachment,
} from "./attachments/attachment.ts";
export { type AttachmentLink, isLinkOver, linkEnd, signedLinkText } from "./attachments/link.ts";
export { canonicalJson } from "./sap/canonical-json.ts";
export { cacheTexts, SAP_VERSION } from "./sap/cache-key.ts";
export { capabilityOf } from "./sap/capability.ts";
export {
  type Aggregate,
  type AggregateKey,
  aggregateKeys,
  emptyAggregate,
  foldSignal,
  type LearningScope,
  learningScopes,
  type Note,
  poorChange,
  type PressureCounts,
  type SignalOf,
  verdictOf,
} from "./sap/learning/aggregate.ts";
export { changePolicyText, isMoot, nextVersion } from "./sap/learning/change-policy.ts";
export {
  judgeProposal,
  type PolicyChange,
  type Proposal,
  proposalKinds,
  subjectOf,
} from "./sap/learning/proposal.ts";
export { propose } from "./sap/learning/propose.ts";
export { LEARNT_PLAYBOOK } from "./sap/learning/propose-playbook.ts";
export { BEST_SCORE, ratingFaults, refuseRating } from "./sap/learning/rating.ts";
export {
  outcomeSignal,
  pressureIn,
  type Rating,
  type Signal,
  type SignalKey,
  violationCounts,
} from "./sap/learning/signal.ts";
export { constitutionalEvidence, EVIDENCE_EVENT_TYPES } from "./sap/evidence.ts";
export { mayAskAgain, mayIssue } from "./sap/issuer.ts";
export {
  becomesRecord,
  type CacheDecision,
  type CacheFacts,
  checksOnHit,
  checksOnMiss,
  type Making,
  judgeAnew,
  judgeCache,
  usesCache,
} from "./sap/judge-cache.ts";
export { refuseUnderPressure } from "./sap/pressure.ts";
export { refuseMisspelt } from "./sap/principle.ts";
export { readSapTask } from "./sap/read-task.ts";
export { type SapError, sapErrorOf } from "./sap/refusal.ts";
export { plainResult, resultOfPipeline, secondsTime } from "./sap/result.ts";
export { isSameTask, type SentIdentity } from "./sap/same-task.ts";
export { isFinal, isWhole, sapStandingMoved } from "./sap/status.ts";
export {
  isSapSource,
  refuseLateSapTask,
  refuseMaskedContract,
  refuseUnusableContract,
  submissionOf,
} from "./sap/submission.ts";
export { type CapabilityRule, type SapSection, WHOLE_PAYLOAD } from "./documents/sap-section.ts";
export { maskedSchemaFaults, outputSchemaFaults } from "./sacp/unmeetable-schema.ts";
export { compileOutputSchema } from "./sacp/output-schema.ts";
export { holdPlaced, holdReleased, retentionApplied, retentionChanged } from "./retention/entries.ts";
export {
  findReasonFaults,
  findRetentionFaults,
  LEAST_MONTHS,
  monthGoesAt,
  monthOf,
  monthsInForce,
  MOST_HOLDS,
  MOST_MONTHS,
  type RetentionSaid,
} from "./retention/retention.ts";
export {
  type Activity,
  type ActivityMeasure,
  activityMeasures,
  activityNames,
  activityOf,
  type ActivityRange,
  activityRanges,
  activitySpans,
  type ActivitySpans,
  type CountedSpan,
  MOST_IN_A_SPAN,
} from "./metrics/activity.ts";
