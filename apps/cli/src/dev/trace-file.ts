import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Span } from "@signalbox/core";

/** A2A 5.7: the trace of a pipeline as `<folder>/<pipeline>.jsonl`, a line a span, the root first. Gives the file's path. */
export function writeTraceFile(folder: string, pipelineId: string, spans: readonly Span[]): string {
  const path = join(folder, `${pipelineId}.jsonl`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, spans.map((span) => `${JSON.stringify(span)}\n`).join(""));
  return path;
}
