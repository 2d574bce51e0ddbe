import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readMigrationFiles } from "drizzle-orm/migrator";

export const MIGRATIONS_FOLDER = fileURLToPath(new URL("../../../../drizzle", import.meta.url));

/** May a binary that lacks this migration go on (`compatible`), or would it read or write wrongly (`breaking`)? */
export type MigrationMark = "breaking" | "compatible";

export interface MigrationFile {
  tag: string;
  /** The journal's time, by which drizzle's migrator orders and skips. */
  createdAt: number;
  /** SHA-256 of the file, as drizzle's migrator records it. */
  hash: string;
  mark: MigrationMark | undefined;
}

const MARK =
  /INSERT INTO "signalbox"\."schema_history" \("tag", "mark"\) VALUES \('([^']+)', '(breaking|compatible)'\);\s*$/;

/** The migrations that this binary knows, in order. */
export function readMigrationFolder(folder: string): MigrationFile[] {
  const journal: unknown = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8"));
  const tags = journalTags(journal);
  return readMigrationFiles({ migrationsFolder: folder }).map((file, position) => {
    const tag = tags[position] ?? "";
    const [, markedTag, mark] = MARK.exec(file.sql.join("")) ?? [];
    return {
      tag,
      createdAt: file.folderMillis,
      hash: file.hash,
      mark: markedTag === tag && (mark === "breaking" || mark === "compatible") ? mark : undefined,
    };
  });
}

function journalTags(journal: unknown): string[] {
  if (
    typeof journal !== "object" ||
    journal === null ||
    !("entries" in journal) ||
    !Array.isArray(journal.entries)
  ) {
    throw new TypeError("meta/_journal.json has no entries");
  }
  return journal.entries.map((entry: { tag: string }) => entry.tag);
}
