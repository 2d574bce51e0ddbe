import { AuditEventTypeSchema } from "@signalbox/contracts";
import { getAuditEntry, listAudit, proveAuditEntry } from "@signalbox/engine";
import { z } from "zod";
import { auditEntryView, auditSummaryView, proofView } from "../audit-view.ts";
import { enumNames, enumNumber } from "../enum-name.ts";
import { momentParameter, namedParameter } from "../rest/list-query.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

const text = z.string().max(500).optional();
const search = z.strictObject({
  eventType: namedParameter(
    (name) => enumNumber(AuditEventTypeSchema, name),
    enumNames(AuditEventTypeSchema),
  ),
  packId: text,
  pipelineId: text,
  traceId: text,
  actor: text,
  from: momentParameter,
  to: momentParameter,
  q: text,
  cursor: z.string().optional(),
  limit: z.int().optional(),
});
const named = z.strictObject({ auditId: z.string().max(128) });

export const auditRouter = router({
  search: procedure.input(inOurWords(search)).query(async ({ ctx, input }) => {
    const { entries, nextCursor } = await listAudit(ctx.transport.system, ctx.asked, input);
    return { entries: entries.map(auditSummaryView), nextCursor: nextCursor ?? null };
  }),
  entry: procedure
    .input(inOurWords(named))
    .query(async ({ ctx, input }) =>
      auditEntryView(await getAuditEntry(ctx.transport.system, ctx.asked, input.auditId)),
    ),
  /** Reads the whole record of the entry's pipeline: asked for when somebody wants to know, and not with the page. */
  prove: procedure
    .input(inOurWords(named))
    .query(async ({ ctx, input }) =>
      proofView(await proveAuditEntry(ctx.transport.system, ctx.asked, input.auditId)),
    ),
});
