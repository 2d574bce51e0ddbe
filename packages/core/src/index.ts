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
