import { ActorTypeSchema, AuditEventTypeSchema } from "@signalbox/contracts";
import type { AuditPage } from "@signalbox/engine";
import { saidIn } from "./audit-view.ts";
import { enumShortName } from "./enum-name.ts";

type Entry = AuditPage["entries"][number];

const columns: readonly (readonly [name: string, of: (entry: Entry) => string | number | null])[] = [
  ["auditId", ({ auditId }) => auditId],
  ["recordedAt", ({ recordedAt }) => recordedAt],
  ["eventType", ({ eventType }) => enumShortName(AuditEventTypeSchema, eventType)],
  ["actorType", ({ actorType }) => enumShortName(ActorTypeSchema, actorType)],
  ["actorId", ({ actorId }) => actorId],
  ["action", ({ payload }) => saidIn(payload).action],
  ["rationale", ({ payload }) => saidIn(payload).rationale],
  ["traceId", ({ traceId }) => traceId],
  ["pipelineId", ({ pipelineId }) => pipelineId],
  ["stageId", ({ stageId }) => stageId],
  ["dispatchId", ({ dispatchId }) => dispatchId],
  ["attemptNumber", ({ attemptNumber }) => attemptNumber],
  ["packId", ({ packId }) => packId],
  ["payload", ({ payload }) => payload],
];

/**
 * What a spreadsheet would take for a formula begins with an apostrophe: whoever names a pack or writes a comment writes into
 * this file, and a formula runs on the machine of the auditor who opens it. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[\s\uFEFF]*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** RFC 4180. The mark at the beginning tells spreadsheets that it is UTF-8. */
export const csvHeader = `\uFEFF${row(columns.map(([name]) => name))}`;

export const csvRow = (entry: Entry): string => row(columns.map(([, of]) => of(entry) ?? ""));

/** As wide as the rows, since many readers refuse a file whose rows differ. */
export const csvEnd = (exported: number, nextCursor: string | undefined): string =>
  row(["#exported", exported, nextCursor ?? "", ...columns.slice(3).map(() => "")]);

function row(cells: readonly (string | number)[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) || harmless !== harmless.trim()
    ? `"${harmless.replaceAll('"', '""')}"`
    : harmless;
}
