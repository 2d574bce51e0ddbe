/** What can keep a database from being used. The message says what was found and what to do; it never holds a password. */
export type DatabaseFault =
  | "ACCESS_DENIED"
  | "DATABASE_MISSING"
  | "DIRECTORY_IN_USE"
  | "DIRECTORY_UNUSABLE"
  | "EXTENSION_MISSING"
  | "LEASE_LOST"
  | "MALFORMED_URL"
  | "OVERTAKEN"
  | "PRIVILEGE_MISSING"
  | "ROLE_UNSAFE"
  | "SCHEMA_BEHIND"
  | "SCHEMA_DRIFTED"
  | "SCHEMA_NEWER"
  | "SERVER_TOO_OLD"
  | "START_FAILED"
  | "TENANT_INVALID"
  | "TRANSACTION_NESTED"
  | "TRANSACTION_OVER"
  | "UNREACHABLE";

export class DatabaseError extends Error {
  override readonly name = "DatabaseError";
  readonly fault: DatabaseFault;

  constructor(fault: DatabaseFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}
