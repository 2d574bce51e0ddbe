export { keepAuditPartitions } from "./audit-partitions.ts";
export { type Clock, systemClock } from "./clock.ts";
export { authenticateKey, firstTenant, prepareFirstTenant } from "./keys.ts";
export { getPack, listPacks, type PackPage, registerPack, type RegisteredPack } from "./packs.ts";
export { pageLimit, type PageRequest } from "./page.ts";
export {
  type DatedReadiness,
  followReadiness,
  type ReadinessWatcher,
  watchReadiness,
} from "./readiness-watcher.ts";
export {
  authenticateSession,
  closeSession,
  createSignInLink,
  linkMinutes,
  type OpenedSession,
  openSession,
} from "./sessions.ts";
export type { Asked, System } from "./system.ts";
