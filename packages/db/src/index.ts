export { DatabaseError, type DatabaseFault } from "./database-error.ts";
export { describeDatabaseUrl } from "./database-url.ts";
export {
  inSavepoint,
  openDatabase,
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
export {
  appendAuditEntries,
  ensureAuditPartitions,
  listAuditEntries,
  type AuditEntry,
  type AuditRecord,
  type NewAuditEntry,
} from "./repositories/audit-entries.ts";
export {
  findKeyByHash,
  insertKey,
  revokeOtherKeys,
  listKeys,
  markKeyUsed,
  revokeKey,
  type FoundKey,
  type Key,
  type NewKey,
} from "./repositories/keys.ts";
export {
  findPack,
  insertPack,
  listPacks,
  type NewPack,
  type Pack,
  type PackCursor,
  type PackSummary,
} from "./repositories/packs.ts";
export {
  endSession,
  findSessionByHash,
  insertSession,
  type FoundSession,
  type NewSession,
} from "./repositories/sessions.ts";
export {
  consumeSignInLink,
  findSignInLinkByHash,
  insertSignInLink,
  type FoundSignInLink,
  type NewSignInLink,
} from "./repositories/sign-in-links.ts";
export { ensureTenant, findTenant, type Tenant } from "./repositories/tenants.ts";
