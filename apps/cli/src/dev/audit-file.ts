import { appendFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";

/** A2A 5.7: the record of a pipeline as `<folder>/<pipeline>.jsonl`, a line an entry, each written once. */
export function auditFile(folder: string, pipelineId: string) {
  const path = join(folder, `${pipelineId}.jsonl`);
  let written = 0;
  return {
    path,
    /** All entries so far, the oldest first; a pipeline's are committed one after another. */
    keep(entries: readonly string[]): void {
      const fresh = entries.slice(written);
      if (fresh.length === 0) return;
      if (written === 0) mkdirSync(dirname(path), { recursive: true });
      appendFileSync(path, fresh.map((entry) => `${entry}\n`).join(""));
      written = entries.length;
    },
  };
}
