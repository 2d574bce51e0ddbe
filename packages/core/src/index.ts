export {
  type AuditContext,
  keyCreated,
  packRegistered,
  signedIn,
  signedOut,
  signInLinkCreated,
  signInRefused,
} from "./audit-entries.ts";
export { type Actor, type Caller, isRole, type Role, roles } from "./caller.ts";
export {
  checkCapabilitySchema,
  checkOrchestratorVersion,
  type Incompatibility,
  type Orchestrator,
} from "./compatibility.ts";
export type { Fault, FaultRule, Parsed } from "./documents/fault.ts";
export { parsePackReference, type PackReference } from "./documents/pack-reference.ts";
export {
  parsePipelineTemplates,
  type PipelineTemplate,
  type PipelineTemplates,
  printPipelineTemplates,
  type TemplateStage,
} from "./documents/pipeline-templates.ts";
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
export { decidePackRegistration, differingFields, type PackRegistration } from "./pack-registration.ts";
export { type Action, actions, type Decision, may, type Subjects } from "./permissions.ts";
export {
  type Readiness,
  type ReadinessCheck,
  type ReadinessFacts,
  readinessOf,
  type ReadinessStatus,
  sameReadiness,
} from "./readiness.ts";
