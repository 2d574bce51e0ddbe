import { endpoints } from "../paths.ts";
import { parseProblem } from "../problem/problem.ts";
import type { AuditFilter } from "./audit-filter.ts";

export const exportFormats = ["jsonl", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export type Progress = { readonly bytes: number; readonly lines: number };
export type Exported = {
  readonly file: Blob;
  readonly entries: number;
  /** Where another export goes on: this one ended at the most that one gives. */
  readonly nextCursor: string | undefined;
};

/** Fetched and counted as it comes. Throws where it broke off: a file that only looks whole would be a false record. */
export async function downloadExport(
  filter: AuditFilter,
  { format, cursor, signal }: { format: ExportFormat; cursor: string | undefined; signal: AbortSignal },
  onProgress: (progress: Progress) => void,
): Promise<Exported> {
  const url = endpoints.auditExport({ ...filter, format, ...(cursor !== undefined && { cursor }) });
  const response = await fetch(url, { signal });
  if (!response.ok || response.body === null) {
    const problem = parseProblem(await response.json());
    throw Object.assign(new Error(`the export was answered with ${response.status}`), { data: { problem } });
  }
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let [bytes, lines] = [0, 0];
  const reader = response.body.getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    parts.push(read.value);
    bytes += read.value.length;
    for (const byte of read.value) if (byte === LINE_FEED) lines += 1;
    onProgress({ bytes, lines });
  }
  const file = new Blob(parts, { type: format === "csv" ? "text/csv" : "application/x-ndjson" });
  const end = endOf(format, await file.slice(-LONGEST_END).text());
  if (end === undefined) throw new BrokenExport();
  return { file, ...end };
}

const LINE_FEED = 10;
const LONGEST_END = 4_096;

/** The connection ended where a line ended, before the line that says that the export is whole. */
class BrokenExport extends Error {
  readonly data = {
    problem: {
      code: "EXPORT_BROKEN_OFF",
      title: "The export broke off",
      detail: "The connection ended before the whole record was read. Nothing was saved. Try again.",
    },
  };
}

/** What the last line says, as ADR 0029 has it; undefined where it is no such line. */
export function endOf(
  format: ExportFormat,
  tail: string,
): { entries: number; nextCursor: string | undefined } | undefined {
  const line = tail.trimEnd().split("\n").at(-1) ?? "";
  const found =
    format === "csv"
      ? /^#exported,(\d+),([\w-]*),/.exec(line)
      : /^\{"exported":(\d+)(?:,"nextCursor":"([\w-]+)")?\}$/.exec(line);
  if (found === null || !tail.endsWith("\n")) return undefined;
  return { entries: Number(found[1]), nextCursor: found[2] === "" ? undefined : found[2] };
}

/** Named by when it was made, in UTC, so that a folder of them is in order. */
export const fileNameOf = (format: ExportFormat, now: Date): string =>
  `audit-${now.toISOString().slice(0, 19).replaceAll(":", "")}Z.${format}`;

/** As a browser saves what a link leads to. */
export function save(file: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Some browsers read it only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
