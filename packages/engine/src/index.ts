export { keepAuditPartitions } from "./audit-partitions.ts";
export { type ActivityRead, readActivity } from "./metrics/read-activity.ts";
export { keepRetention } from "./retention/apply-retention.ts";
export { placeHold, releaseHold } from "./retention/holds.ts";
export { changeRetention, getRetention, type Retention } from "./retention/retention.ts";
export { type Clock, systemClock } from "./clock.ts";
export { type Account, type AccountWish, changeAccount, getAccount } from "./identity/account.ts";
export {
  createSignInLink,
  firstTenant,
  linkMinutes,
  prepareFirstTenant,
  prepareTenant,
  type Tenant,
} from "./identity/first-tenant.ts";
export type { IdentityProvider, OidcFlow } from "./identity/identity-provider.ts";
export {
  authenticateKey,
  authenticateKeyId,
  createKey,
  type CreatedKey,
  type KeyPage,
  listKeys,
  revokeKey,
} from "./identity/keys.ts";
export { recallCaller, type RememberedCaller } from "./identity/remembered-keys.ts";
export {
  changeMember,
  createMemberLink,
  endMemberSessions,
  inviteMember,
  listMembers,
  nameMembers,
  type MemberLink,
  type MemberPage,
  removeMember,
} from "./identity/members.ts";
export {
  authenticateSession,
  type Came,
  closeSession,
  endOwnSession,
  listOwnSessions,
  type OpenedSession,
  type OwnSession,
  standingOfSession,
} from "./identity/sessions.ts";
export { authenticateToken, createToken, isToken, type MadeToken } from "./identity/tokens.ts";
export { signInByIdentity, signInByLink, signInByPassword } from "./identity/sign-in.ts";
export { getPack, listPacks, type PackPage, registerPack, type RegisteredPack } from "./packs.ts";
export { makeTenant } from "./make-tenant.ts";
export { pageLimit, type PageRequest } from "./page.ts";
export {
  type DatedReadiness,
  followReadiness,
  type ReadinessWatcher,
  watchReadiness,
} from "./readiness-watcher.ts";
export type { Asked, System } from "./system.ts";
export { createDraft, discardDraft, updateDraft } from "./documents/drafts.ts";
export { publishDocument } from "./documents/publish.ts";
export { type Simulation, simulatePolicy, simulationLimit } from "./documents/simulate.ts";
export {
  checkDocument,
  type DocumentCheck,
  type DocumentPage,
  findActive,
  getDocument,
  listDocuments,
} from "./documents/reads.ts";
export type { DocumentView } from "./documents/view.ts";
export { type Engine, type EngineOptions, openEngine } from "./engine.ts";
export { leaseTasks, type LeasedTasks, type LeaseRequest } from "./orchestrator/lease-tasks.ts";
export {
  abortPipeline,
  pausePipeline,
  type PipelineAnswer,
  resolveEscalation,
  resumePipeline,
  rewindPipeline,
} from "./orchestrator/person-commands.ts";
export {
  type AttemptStanding,
  type AttemptSummary,
  type AttemptView,
  getAttempt,
  listAttempts,
} from "./orchestrator/read-attempts.ts";
export {
  assignEscalation,
  type Assignment,
  commentOnEscalation,
  countEscalations,
  type WaitingEscalations,
} from "./orchestrator/attend-escalations.ts";
export { type AlertConditionView, type AlertPage, type AlertView, listAlerts } from "./read-alerts.ts";
export {
  type EscalationInFull,
  type EscalationPage,
  type EscalationSearch,
  type EscalationView,
  getEscalation,
  listEscalations,
} from "./orchestrator/read-escalations.ts";
export {
  getPipeline,
  listEndedPipelines,
  listPipelines,
  type PipelinePage,
  type PipelineView,
  readTrace,
} from "./orchestrator/read-pipelines.ts";
export type { RefSource } from "./orchestrator/refs.ts";
export { renewAndLease, type RenewedAndLeased } from "./orchestrator/renew-and-lease.ts";
export { renewDispatch } from "./orchestrator/renew-dispatch.ts";
export { reportResult, type ReportedResult } from "./orchestrator/report-result.ts";
export { type HandoffAnswer, requestHandoff } from "./orchestrator/request-handoff.ts";
export { submitTask, type SubmittedTask } from "./orchestrator/submit-task.ts";
export {
  type AgentAdapter,
  type AgentAdapters,
  type CancelledAttempt,
  type Inbound,
  LinkFailure,
  unreadable,
  type Reached,
  type RunAnswer,
} from "./link/agent-adapter.ts";
export { forgetExpiredAnswers, keepAnswersTidy } from "./once/forget-answers.ts";
export {
  type LinkedAttachment,
  type LinkedContent,
  linkToAttachment,
  linkToAttachmentOfDispatch,
  readLinkedAttachment,
} from "./attachments/attachment-links.ts";
export { type AttachmentReference, keepAttachment } from "./attachments/keep-attachment.ts";
export { exportAudit } from "./export-audit.ts";
export { auditLine } from "./audit-line.ts";
export { type AuditPage, listAudit } from "./read-audit.ts";
export { type EntryProof, getAuditEntry, proveAuditEntry } from "./read-audit-entry.ts";
export {
  redactedKinds,
  type RedactedTrial,
  readRedaction,
  type RedactionInForce,
  tryRedaction,
} from "./redaction.ts";
export { keepInstancesTidy } from "./registry/forget-instances.ts";
export { heartbeat, type HeartbeatAnswer, type JudgedBefore } from "./registry/heartbeat.ts";
export {
  getInstance,
  type InstanceView,
  listInstances,
  quarantineInstance,
  restoreInstance,
} from "./registry/instances.ts";
export {
  type AttemptConfidence,
  type AttemptEvents,
  type AttemptTurns,
  readAttemptEvents,
  readAttemptTurns,
  readConfidences,
} from "./saop/read-attempt-work.ts";
export {
  type EventPage,
  type EventType,
  eventTypes,
  type EventView,
  readEvents,
} from "./saop/read-events.ts";
export { type OfPipelinePage, readTurns, type TurnPage, type TurnView } from "./saop/read-turns.ts";
export { type ReceivedReport, reportEvents } from "./saop/report-events.ts";
export { reportTurn } from "./saop/report-turn.ts";
export { type FedEvent, feedCursor } from "./stream/fed-event.ts";
export type { FeedListener, Feeds, FollowedFeed } from "./stream/feed.ts";
export { keepFeedsShort } from "./stream/forget-events.ts";
export type { HeardWatch } from "./stream/heard.ts";
export type { Credential, Fallen, Standings } from "./stream/standings.ts";
export { cursorExpired, openSubscription, replayTopic, type Subscription } from "./stream/subscription.ts";
export { drainInstance, resumeInstance } from "./registry/draining.ts";
export { keepAlerts } from "./alerts/watch-alerts.ts";
export { keepProbations } from "./registry/probations.ts";
export { tellLostInstances } from "./registry/lost-instances.ts";
export type { SapAck, SapAnswer } from "./sap/answer.ts";
export { exchangeSapTask, nackOf, type SapExchange, type SapNack } from "./sap/exchange.ts";
export { listCapabilities } from "./sap/list-capabilities.ts";
export { readSapResult, readSapTranscript, type SapTranscript } from "./sap/read-sap-results.ts";
export {
  isFeedPosition,
  readLateSapResults,
  readSapReports,
  type SapReports,
  type SapSender,
} from "./sap/read-reports.ts";
export { type SapDoor, submitSapTask } from "./sap/submit-sap-task.ts";
export {
  type DecidedProposal,
  decideProposal,
  type ProposalDecision,
} from "./sap/learning/decide-proposal.ts";
export { keepLearning, learnFromSignals } from "./sap/learning/learn.ts";
export { type RatedResult, rateResult, type RatingSaid } from "./sap/learning/rate-result.ts";
export {
  type AggregateView,
  listAggregates,
  listCacheRecords,
  listPlaybooks,
  type PlaybookInForce,
} from "./sap/learning/read-learning.ts";
export {
  type GivenRating,
  listRatedTasks,
  listRatings,
  type PipelineResult,
  type RatedTask,
  readPipelineResult,
} from "./sap/learning/read-results.ts";
export type { PolicyAfter } from "./sap/learning/policy-after.ts";
export {
  getProposal,
  type LearningProposal,
  listProposals,
  type ProposalInFull,
} from "./sap/learning/read-proposals.ts";
export { type Observed, onObserved } from "./metrics/observations.ts";
export { exportTraces, type TraceExport } from "./trace/export-traces.ts";
export { readGauges } from "./metrics/read-gauges.ts";
export { whyAway } from "./transaction.ts";
