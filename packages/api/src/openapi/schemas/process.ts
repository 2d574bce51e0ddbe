import { z } from "zod";
import { pageOf, time } from "./common.ts";
import { component } from "./component.ts";

export const session = component(
  "Session",
  z.strictObject({
    tenantId: z.string(),
    actor: z.strictObject({ type: z.enum(["human", "agent", "system"]), id: z.string() }),
    role: z.enum(["viewer", "operator", "approver", "auditor", "admin", "agent"]),
    credential: z.enum(["key", "session"]),
  }),
);

export const alive = component("Alive", z.strictObject({ status: z.literal("alive") }));
export const readiness = component(
  "Readiness",
  z.strictObject({ status: z.string(), checks: z.array(z.looseObject({ name: z.string() })), at: time }),
);

export const signingKeys = component(
  "SigningKeys",
  z.strictObject({ keys: z.array(z.looseObject({ kty: z.string() })) }),
);

const auditEntry = component(
  "AuditEntryOnRecord",
  z.strictObject({
    auditId: z.uuid(),
    recordedAt: z.string().meta({ description: "The database's time, to the microsecond." }),
    payload: z
      .looseObject({ eventType: z.string(), tenantId: z.string(), rationale: z.string().optional() })
      .meta({ description: "AuditEntry of the contract, byte for byte as it was recorded." }),
  }),
);
export const auditLine = component(
  "AuditExportLine",
  z.union([auditEntry, z.strictObject({ exported: z.int().min(0), nextCursor: z.string().optional() })]),
);
export const auditPage = pageOf("AuditPage", "entries", auditEntry);

export const document = component(
  "OpenApiDocument",
  z.looseObject({ openapi: z.string(), paths: z.looseObject({}) }),
);
