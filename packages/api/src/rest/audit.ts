import { AuditEventTypeSchema } from "@signalbox/contracts";
import { Readable } from "node:stream";
import { type AuditPage, exportAudit, listAudit } from "@signalbox/engine";
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

export const auditExportQuery = auditQuery.omit({ limit: true });

/** A reader that takes nothing for so long is gone, whatever its connection says. */
const STALLED_MS = 30_000;

export function auditRoutes(app: FastifyInstance, transport: Transport): void {
  const route = identifiedRoutes(app, transport);
  route("GET", "/v1/audit", async (asked, request, reply) => {
    const filter = readQuery(auditQuery, request.query);
    const page = await listAudit(transport.system, asked, filter);
    return reply.type("application/json; charset=utf-8").send(pageText(page));
  });
  route(
    "GET",
    "/v1/audit/export",
    async (asked, request, reply) => {
      const filter = readQuery(auditExportQuery, request.query);
      const lines = Readable.from(linesOf(await exportAudit(transport.system, asked, filter)), {
        objectMode: false,
      });
      reply.raw.setTimeout(STALLED_MS, () =>
        lines.destroy(new Error("the reader of an export takes nothing")),
      );
      return reply.type("application/x-ndjson; charset=utf-8").send(lines);
    },
    // Its answer would be worked out, and put on record, to be thrown away.
    { exposeHeadRoute: false },
  );
}

/** An entry a line; the last line says how many there were, and an export without it is not whole. */
async function* linesOf(pages: AsyncIterable<AuditPage>): AsyncGenerator<string, void, void> {
  let exported = 0;
  let next: string | undefined;
  for await (const { entries, nextCursor } of pages) {
    exported += entries.length;
    next = nextCursor;
    if (entries.length > 0) yield entries.map((entry) => `${entryText(entry)}\n`).join("");
  }
  yield `${JSON.stringify({ exported, nextCursor: next })}\n`;
}

/** The payload stands here byte for byte as it was recorded: read and written anew it would be another text. */
function entryText({ auditId, recordedAt, payload }: AuditPage["entries"][number]): string {
  return `{"auditId":${JSON.stringify(auditId)},"recordedAt":${JSON.stringify(recordedAt)},"payload":${payload}}`;
}

function pageText({ entries, nextCursor }: AuditPage): string {
  const texts = entries.map(entryText);
  const next = nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  return `{"entries":[${texts.join(",")}]${next}}`;
}
