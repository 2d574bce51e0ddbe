import type { PathFault } from "./finding.ts";

const LONGEST_PATH = 4_096;

/** A home folder, a drive, a scheme: what a tool would not take for a place below the repository. */
const LEAVES = /^(?:~|[A-Za-z]:|[a-z][a-z0-9+.-]{0,30}:\/\/)/;

/** GATE-8: a path within the repository, in one spelling; or why it is none. Case counts. */
export function readArtifactPath(path: string): { readonly path: string } | { readonly fault: PathFault } {
  if (path.trim() === "") return { fault: "empty" };
  if (path.length > LONGEST_PATH) return { fault: "too-long" };
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f\\]/.test(path)) return { fault: "characters" };
  if (path.startsWith("/") || LEAVES.test(path)) return { fault: "absolute" };
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part === ".." && parts.pop() === undefined) return { fault: "outside" };
    if (part !== "..") parts.push(part);
  }
  const read = parts.join("/");
  if (LEAVES.test(read)) return { fault: "absolute" }; // `a/../~` begins harmlessly
  return read === "" ? { fault: "empty" } : { path: read };
}

/**
 * GATE-9: whether a path is one that a contract names: exactly, below a folder (`src/`), or by a glob in which `*` and
 * `?` stay within one part of the path and `**` stands for any number of parts.
 */
export function isNamed(path: string, pattern: string): boolean {
  const folder = pattern.endsWith("/");
  const named = readArtifactPath(pattern);
  if ("fault" in named) return false;
  const wanted = named.path.split("/");
  return matchParts(path.split("/"), folder ? [...wanted, "**"] : wanted);
}

/** Row by row over both, so that many `**` cost no more than their number times the path's length. */
function matchParts(parts: readonly string[], wanted: readonly string[]): boolean {
  const openAt = (index: number, into: Set<number>): void => {
    into.add(index);
    if (wanted[index] === "**") openAt(index + 1, into);
  };
  let reached = new Set<number>();
  openAt(0, reached);
  for (const part of parts) {
    const next = new Set<number>();
    for (const index of reached) {
      const want = wanted[index];
      if (want === undefined) continue;
      if (want === "**") openAt(index, next);
      else if (matchPart(part, want)) openAt(index + 1, next);
    }
    reached = next;
  }
  return reached.has(wanted.length);
}

/** `*` and `?` within one part; the last star takes the rest back at most once for each character. */
function matchPart(part: string, want: string): boolean {
  let at = 0;
  let wanted = 0;
  let star = -1;
  let resume = 0;
  while (at < part.length) {
    if (wanted < want.length && want[wanted] === "*") {
      star = wanted++;
      resume = at;
    } else if (wanted < want.length && (want[wanted] === "?" || want[wanted] === part[at])) {
      wanted++;
      at++;
    } else if (star === -1) return false;
    else {
      wanted = star + 1;
      at = ++resume;
    }
  }
  while (want[wanted] === "*") wanted++;
  return wanted === want.length;
}
