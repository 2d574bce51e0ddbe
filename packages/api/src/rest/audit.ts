import { AuditEventTypeSchema } from "@signalbox/contracts";
import { Readable } from "node:stream";
import { auditLine, type AuditPage, exportAudit, listAudit } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { csvEnd, csvHeader, csvRow } from "../audit-csv.ts";
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

const formats = {
  jsonl: {
    mediaType: "application/x-ndjson; charset=utf-8",
    begin: "",
    line: (entry: AuditPage["entries"][number]) => `${auditLine(entry)}\n`,
    end: (exported: number, nextCursor: string | undefined) =>
      `${JSON.stringify({ exported, nextCursor })}\n`,
  },
  csv: { mediaType: "text/csv; charset=utf-8; header=present", begin: csvHeader, line: csvRow, end: csvEnd },
};
type Format = keyof typeof formats;

export const auditExportQuery = auditQuery
  .omit({ limit: true })
  .extend({ format: z.enum(["jsonl", "csv"], "jsonl or csv").optional() });

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
      const { format = "jsonl", ...filter } = readQuery(auditExportQuery, request.query);
      const lines = Readable.from(linesOf(await exportAudit(transport.system, asked, filter), format), {
        objectMode: false,
      });
      reply.raw.setTimeout(STALLED_MS, () =>
        lines.destroy(new Error("the reader of an export takes nothing")),
      );
      return reply.type(formats[format].mediaType).send(lines);
    },
    // Its answer would be worked out, and put on record, to be thrown away.
    { exposeHeadRoute: false },
  );
}

/** An entry a line; the last line says how many there were, and an export without it is not whole. */
async function* linesOf(pages: AsyncIterable<AuditPage>, format: Format): AsyncGenerator<string, void, void> {
  const { begin, line, end } = formats[format];
  let exported = 0;
  let next: string | undefined;
  if (begin !== "") yield begin;
  for await (const { entries, nextCursor } of pages) {
    exported += entries.length;
    next = nextCursor;
    if (entries.length > 0) yield entries.map(line).join("");
  }
  yield end(exported, next);
}

function pageText({ entries, nextCursor }: AuditPage): string {
  const texts = entries.map(auditLine);
  const next = nextCursor === undefined ? "" : `,"nextCursor":${JSON.stringify(nextCursor)}`;
  return `{"entries":[${texts.join(",")}]${next}}`;
}
