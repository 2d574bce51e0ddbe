import { DatabaseError } from "./database-error.ts";

const TENANT_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Row security compares the tenant as text, so an empty or padded one must never reach it. */
export function assertTenantId(tenantId: string): void {
  if (!TENANT_ID.test(tenantId)) {
    throw new DatabaseError(
      "TENANT_INVALID",
      `tenantId ${JSON.stringify(tenantId)} is not a tenant's name. ` +
        "Allowed: 1 to 128 letters, digits, '.', '_' and '-', beginning with a letter or a digit.",
    );
  }
}
