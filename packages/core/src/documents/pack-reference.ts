import { satisfies } from "semver";

/** A pack as a policy names it: `qa-engineer`, or pinned to versions as `qa-engineer@1.2.0`, `…@^1.2.0`, `…@~1.2.0`. */
export type PackReference = { packId: string; versions: string | undefined };

// The first character is never the separator, so that a scoped name such as @acme/reviewer stays whole.
const pinned = /^(.+)@([~^]?\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?)$/su;

export function parsePackReference(text: string): PackReference {
  const [, packId, versions] = pinned.exec(text) ?? [];
  return packId === undefined ? { packId: text, versions: undefined } : { packId, versions };
}

export const allowsVersion = ({ versions }: PackReference, packVersion: string): boolean =>
  versions === undefined || satisfies(packVersion, versions, { includePrerelease: true });
