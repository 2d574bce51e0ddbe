import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** How `committed` differs from `fresh`: a line a file, or none. */
export function compareFolders(fresh: string, committed: string): string[] {
  const expected = filesBelow(fresh);
  const actual = filesBelow(committed);
  return [...new Set([...expected, ...actual])].toSorted().flatMap((file) => {
    if (!actual.includes(file)) return [`${file} is missing`];
    if (!expected.includes(file)) return [`${file} is left over`];
    const same = readFileSync(join(fresh, file)).equals(readFileSync(join(committed, file)));
    return same ? [] : [`${file} is stale`];
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
