import { AuditEventTypeSchema } from "@signalbox/contracts";
import { type AuditPage, listAudit } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { enumNames, enumNumber } from "../enum-name.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { listQuery, momentParameter, namedParameter, readQuery, textParameter } from "./list-query.ts";

export const auditQuery = listQuery({
  eventType: namedParameter(
    (name) => enumNumber(AuditEventTypeSchema, name),
    enumNames(AuditEventTypeSchema),
  ),
  packId: textParameter,
  pipelineId: textParameter,
  traceId: textParameter,
  actor: textParameter,
  from: momentParameter,
  to: momentParameter,
  q: textParameter,
});

export function auditRoutes(app: FastifyInstance, transport: Transport): void {
  const route = identifiedRoutes(app, transport);
  route("GET", "/v1/audit", async (asked, request, reply) => {
    const filter = readQuery(auditQuery, request.query);
    const page = await listAudit(transport.system, asked, filter);
    return reply.type("application/json; charset=utf-8").send(pageText(page));
  });
}

/** Each payload stands here byte for byte as it was recorded: read and written anew it would be another text. */
function pageText({ entries, nextCursor }: AuditPage): string {
  const texts = entries.map(({ auditId, recordedAt, payload }) => {
    const [id, at] = [JSON.stringify(auditId), JSON.stringify(recordedAt)];
    return `{"auditId":${id},"recordedAt":${at},"payload":${payload}}`;
  });
  const next = nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  return `{"entries":[${texts.join(",")}]${next}}`;
}
