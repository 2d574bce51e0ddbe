export { DatabaseError, type DatabaseFault } from "./database-error.ts";
export { describeDatabaseUrl } from "./database-url.ts";
export {
  commitWith,
  inSavepoint,
  openDatabase,
  type BatchTransaction,
  type Database,
  type DatabaseOptions,
  type TenantTransaction,
} from "./database.ts";
export {
  startEmbeddedPostgres,
  type EmbeddedOptions,
  type EmbeddedPostgres,
} from "./embedded/embedded-postgres.ts";
export { MIGRATIONS_FOLDER } from "./prepare/migration-folder.ts";
export { prepareDatabase, type Preparation, type PreparedDatabase } from "./prepare/prepare-database.ts";
export { schemaState, type SchemaState } from "./prepare/schema-state.ts";
export type { AuditEntry, AuditFilter, AuditRecord } from "./queries/audit-filter.ts";
export { findAuditEntry } from "./queries/find-audit-entry.ts";
export { countEntries, type PipelineTimes, readPipelineTimes } from "./queries/count-entries.ts";
export { isSearch } from "./queries/search-audit.ts";
export { ROUTINE_EVENT_TYPES } from "./schema/audit-entries.ts";
export { appendAuditEntries, ensureAuditPartitions, listAuditEntries } from "./repositories/audit-entries.ts";
export {
  forgetKeptAnswers,
  insertKeptAnswers,
  type KeptAnswer,
  type NewKeptAnswer,
  type RequestName,
  takeRequestName,
  tenantsWithExpiredAnswers,
} from "./queries/kept-answers.ts";
export {
  type AuditHold,
  type AuditRetention,
  countOpenHolds,
  findRetention,
  hasAuditMonth,
  insertHold,
  listHolds,
  lockHold,
  recordBegins,
  type RemovableMonth,
  releaseHoldRow,
  removableMonths,
  removeAuditMonth,
  saveRetention,
} from "./repositories/retention.ts";
export {
  type Attachment,
  contentOfAttachment,
  findAttachment,
  insertAttachment,
  type NewAttachment,
  roomTaken,
} from "./repositories/attachments.ts";
export {
  findKey,
  findKeyByHash,
  demandCountingKeys,
  findCountingKeys,
  findKeyMakers,
  findKeysByHash,
  findKeyStanding,
  insertKey,
  revokeOtherKeys,
  listKeys,
  markKeyUsed,
  revokeKey,
  type FoundKey,
  type Key,
  type KeyCursor,
  type NewKey,
} from "./repositories/keys.ts";
export {
  findMember,
  findMemberByEmail,
  findMemberByIdentity,
  findMemberNames,
  findMemberSummary,
  insertMember,
  listMembers,
  lockMember,
  lockMembersOfRole,
  removeMember,
  updateMember,
  type Member,
  type MemberCursor,
  type MemberSummary,
} from "./repositories/members.ts";
export {
  findPack,
  insertPack,
  listManifests,
  listPackIds,
  listPacks,
  type NewPack,
  type Pack,
  type PackCursor,
  type PackSummary,
} from "./repositories/packs.ts";
export {
  endSession,
  endSessionByHash,
  endSessionsOf,
  findSessionByHash,
  countOpenSessions,
  findSessionOwner,
  insertSession,
  listSessions,
  markSessionSeen,
  type FoundSession,
  type NewSession,
  type Session,
} from "./repositories/sessions.ts";
export {
  countSignInAttempt,
  forgiveSignInAttempt,
  type AttemptBucket,
} from "./repositories/sign-in-attempts.ts";
export {
  consumeSignInLink,
  findSignInLinkByHash,
  voidSignInLinks,
  insertSignInLink,
  type FoundSignInLink,
  type NewSignInLink,
} from "./repositories/sign-in-links.ts";
export { ensureTenant, findTenant, type Tenant } from "./repositories/tenants.ts";
export {
  appendAuditBatch,
  type BatchAuditEntry,
  type NewAuditEntry,
} from "./queries/append-audit-entries.ts";
export {
  deleteCancelSignals,
  insertCancelSignals,
  readCancelSignals,
  readingOfCancelSignals,
  type CancelSignal,
} from "./queries/cancel-signals.ts";
export { clearInvalidCounts } from "./queries/clear-invalid-counts.ts";
export { countWaitingStages, type WaitingCount } from "./queries/count-waiting-stages.ts";
export {
  dueOpenDispatches,
  duePipelines,
  dueStages,
  wokenStages,
  type DueStage,
  type SweepLimits,
  waitingLines,
  type WaitingLine,
} from "./queries/due-work.ts";
export { findDispatches, type FoundDispatch } from "./queries/find-dispatches.ts";
export {
  credentialStandings,
  type CredentialHash,
  type CredentialStanding,
} from "./queries/credential-standings.ts";
export { followFeeds, settledPosition, type FeedPage, type FollowedFeed } from "./queries/follow-feeds.ts";
export { dueFeeds, forgetEvents } from "./queries/forget-events.ts";
export { lostInstances, markLost } from "./queries/lost-instances.ts";
export { feedStanding, hasPipeline, type FeedStanding } from "./queries/feed-standing.ts";
export { replayEvents, type FeedPart, type ReplayPage } from "./queries/replay-events.ts";
export type { EventCursor, StoredEvent } from "./queries/stored-event.ts";
export { forgetInstances } from "./queries/forget-instances.ts";
export { insertEvents, insertionOfEvents, type NewEvent } from "./queries/insert-events.ts";
export { type DispatchKey, type InstanceKey, type PipelineKey, type StageKey } from "./queries/keys.ts";
export { loadPlans } from "./queries/load-plans.ts";
export { loadPipelines, type StoredPipelineRow } from "./queries/load-pipelines.ts";
export {
  findBreakers,
  loadBreakersSince,
  loadInstancesSince,
  loadPacksSince,
  openDispatchCounts,
  type BreakerKey,
  type BreakerRow,
  type InstanceRow,
  type PackRow,
} from "./queries/load-registry.ts";
export { lockOpenDispatches, type OpenDispatch } from "./queries/lock-open-dispatches.ts";
export { lockPipelines, type LockedPipeline } from "./queries/lock-pipelines.ts";
export {
  claimAlertWatches,
  deleteFiredAlerts,
  dueAlertWatches,
  insertFiredAlerts,
  listFiredAlerts,
  lockAlertWatch,
  type StoredFiredAlert,
} from "./queries/fired-alerts.ts";
export { dueProbations, tenantsWithQuarantine } from "./queries/due-probations.ts";
export { lockStandings, type LockedStanding } from "./queries/lock-standings.ts";
export { activeVersion, activeVersions, loadPublishedText } from "./queries/published-documents.ts";
export { type HeardChange, readHeardChanges } from "./queries/heard-changes.ts";
export {
  bumpRegistries,
  bumpRegistry,
  readRegistryChanges,
  type RegistryChange,
} from "./queries/registry-changes.ts";
export { renewLeases, type RenewedLease } from "./queries/renew-leases.ts";
export { findResults, insertResults, type FoundResult, type NewResult } from "./queries/results.ts";
export { findReportedDispatches, type ReportedDispatch } from "./queries/reported-dispatches.ts";
export { returnEnvelopes } from "./queries/return-envelopes.ts";
export { saveBreakers, type BreakerChange } from "./queries/save-breakers.ts";
export { isUnmetDemand } from "./queries/demanded.ts";
export {
  saveHeartbeats,
  saveOfPlainHeartbeats,
  type PlainHeartbeat,
  type NewHeartbeat,
  type SavedHeartbeat,
} from "./queries/save-heartbeats.ts";
export {
  type DrainingChange,
  saveDraining,
  saveStanding,
  type StandingChange,
} from "./queries/save-standing.ts";
export {
  findTraceEvents,
  insertionOfTraceReports,
  isOvertaken,
  loadEventIds,
  LONGEST_RUN,
  type EventKey,
  type KnownTraceEvent,
  type NamedRun,
  type NewTraceReport,
  type NewTraceRun,
} from "./queries/trace-runs.ts";
export { saveOfKnownStreams, type KnownStream } from "./queries/save-known-streams.ts";
export {
  lockTurnStreams,
  saveOfTurnStreams,
  type LockedTurnStream,
  type TurnKey,
} from "./queries/turn-streams.ts";
export {
  findTurns,
  insertTurns,
  lastConfidences,
  type FoundTurn,
  type NewTurn,
  type TurnConfidence,
} from "./queries/turns.ts";
export { takeEnvelopes, type EnvelopeRequest, type TakenEnvelope } from "./queries/take-envelopes.ts";
export {
  deleteOpenDispatches,
  insertDispatches,
  insertOpenDispatches,
  type NewDispatch,
  type NewOpenDispatch,
} from "./queries/write-dispatches.ts";
export {
  closeEscalations,
  openEscalations,
  type EscalationKey,
  type NewEscalation,
} from "./queries/write-escalations.ts";
export {
  insertPipelines,
  insertTasks,
  updatePipelines,
  type NewPipeline,
  type NewTask,
  type PipelineChange,
} from "./queries/write-pipelines.ts";
export { insertStages, updateStages, type NewStage, type StageChange } from "./queries/write-stages.ts";
export {
  findAttempt,
  hasAttempt,
  listAttemptRecord,
  listAttempts,
  type StoredAttempt,
} from "./repositories/attempts.ts";
export { findReportedWork, type ReportedWorkRow } from "./queries/reported-work.ts";
export { listDispatchEnds, listToolEvents } from "./queries/attempt-traces.ts";
export {
  listConfidences,
  listEventWindow,
  listTurnsOfAttempt,
  type EventPlace,
} from "./queries/attempt-work.ts";
export {
  listDispatchesOf,
  listResultsOf,
  type StoredDispatch,
  type StoredResult,
} from "./repositories/dispatches.ts";
export {
  discardDraft,
  findActiveDocument,
  findDocument,
  insertDraft,
  listDocuments,
  publishDocument,
  updateDraft,
  type DocumentCursor,
  type DocumentKind,
  type DocumentVersion,
  type NewDocument,
  type StoredDocument,
} from "./repositories/documents.ts";
export {
  findAlertFacts,
  listOpenBreakers,
  listSilentPacks,
  type OpenBreaker,
  type SilentPack,
  type StoredAlertFacts,
} from "./queries/alert-facts.ts";
export { countUnresolvedEscalations } from "./queries/open-escalations.ts";
export { listAlerts, type AlertCursor, type StoredAlert } from "./queries/list-alerts.ts";
export {
  insertComment,
  lastCommentOrdinal,
  listComments,
  type StoredComment,
} from "./repositories/escalation-comments.ts";
export {
  assignEscalation,
  countOpenEscalations,
  findEscalation,
  listEscalations,
  listLikeEscalations,
  lockEscalation,
  type EscalationCursor,
  type EscalationFilter,
  type EscalationOfTask,
  type EscalationPlace,
  type StoredEscalation,
} from "./repositories/escalations.ts";
export { findInstance, listInstances, type InstanceCursor } from "./repositories/instances.ts";
export { assertNode, joinNode, leaveNode, liveNodes, renewNode, type Node } from "./repositories/nodes.ts";
export {
  findPipeline,
  findPipelinesOfTrace,
  findTaskNames,
  listEndedPipelines,
  listPipelines,
  searchPipelines,
  type PipelineCursor,
  type PipelineFilter,
  type PipelineSummary,
  type TaskNames,
} from "./repositories/pipelines.ts";
export {
  listPipelineRecord,
  listTraceEvents,
  listTurns,
  type RecordedEntry,
  type StoredTraceEvent,
  type StoredTurn,
  type TraceEventCursor,
  type TurnCursor,
} from "./repositories/turns-and-events.ts";
export { nonceOf, openTextOf, type Seal } from "./seal.ts";
export type { DocumentStatus } from "./schema/document-status.ts";
export type { ResultStanding } from "./schema/results.ts";
export {
  auditPayloadsOf,
  findSapTasks,
  findSapTasksOfPipelines,
  insertSapAnswers,
  insertSapResults,
  insertSapTasks,
  latestSapResults,
  type NewSapResult,
  type NewSapTask,
  sapResultsOf,
  type StoredSapResult,
  type StoredSapTask,
  takeSapTask,
  transactionTime,
} from "./queries/sap.ts";
export {
  earlierSapCacheRecords,
  insertSapCacheRecords,
  type NewSapCacheRecord,
  newestSapCacheRecords,
  type StoredSapCacheRecord,
} from "./queries/sap-cache.ts";
export {
  lateSapResults,
  type ReportedSapResult,
  sapResultsReported,
  type SapSenderKey,
} from "./queries/sap-reports.ts";
export {
  findSapAggregates,
  listSapAggregates,
  type SapAggregateCursor,
  type SapAggregateKey,
  saveSapAggregates,
  type StoredSapAggregate,
} from "./queries/sap-aggregates.ts";
export {
  listSapCacheRecords,
  listSapTasks,
  type ListedSapCacheRecord,
  type ListedSapTask,
  type SapCacheCursor,
  type SapTaskCursor,
} from "./queries/sap-lists.ts";
export {
  dueLearners,
  insertSapSignals,
  type NewSapSignal,
  noteLearnt,
  ratingsOf,
  type StoredRating,
  type StoredSapSignal,
  takeRatings,
  takeSapSignals,
} from "./queries/sap-signals.ts";
export {
  decideSapProposal,
  findSapProposal,
  insertSapProposal,
  listSapProposals,
  newestSapProposals,
  type StoredSapProposal,
} from "./repositories/sap-proposals.ts";
