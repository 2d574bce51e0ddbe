import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { foldEntries, type PipelineState } from "@signalbox/core";
import type { AuditEntry } from "@signalbox/db";
import { auditLine } from "./audit-line.ts";

type Line = Pick<AuditEntry, "auditId" | "recordedAt" | "payload">;
type Link = { readonly auditId: string; readonly revision: number; readonly digest: string };

export type Chain = {
  readonly own: Link;
  readonly previous: Link | undefined;
  readonly next: Link | undefined;
  /** How many entries of the pipeline were read. */
  readonly entries: number;
  /** What does not hold, in words; nothing where all of it does. */
  readonly faults: readonly string[];
};

export const fingerprintOf = (line: Line): string =>
  createHash("sha256").update(auditLine(line)).digest("hex");

/**
 * The entries of one pipeline as a chain: each digest is the SHA-256 of the one before it (of nothing, for the first) and of
 * the entry's own line, so that the digest of an entry stands for all that came before it. Whoever has an export of the
 * pipeline gets the same digests. Undefined where the entry is none that the pipeline is made of.
 */
export function chainOf(
  entries: readonly Line[],
  auditId: string,
  stored: { readonly revision: number; readonly state: PipelineState },
): Chain | undefined {
  const read = entries
    .map((line) => {
      const payload: unknown = JSON.parse(line.payload);
      return { line, payload, revision: revisionOf(payload) };
    })
    .filter(({ revision }) => revision > 0 && revision <= stored.revision)
    .toSorted((one, other) => one.revision - other.revision);
  const links: Link[] = [];
  let digest = new Uint8Array();
  for (const { line, revision } of read) {
    digest = createHash("sha256").update(digest).update(auditLine(line)).digest();
    links.push({ auditId: line.auditId, revision, digest: Buffer.from(digest).toString("hex") });
  }
  const at = links.findIndex((link) => link.auditId === auditId);
  const own = links[at];
  if (own === undefined) return undefined;
  const payloads = read.map(({ payload }) => payload);
  return {
    own,
    previous: links[at - 1],
    next: links[at + 1],
    entries: links.length,
    faults: [...countFaults(links, stored.revision), ...foldFaults(payloads, stored.state)],
  };
}

function revisionOf(payload: unknown): number {
  const revision: unknown = Reflect.get(Object(payload), "pipelineRevision");
  return typeof revision === "number" ? revision : 0;
}

/** Revisions count from 1 without a gap, so that one that is missing, doubled or cut off the end is noticed. */
function countFaults(links: readonly Link[], revision: number): string[] {
  const stray = links.findIndex((link, index) => link.revision !== index + 1);
  if (stray !== -1) {
    const is = links[stray]?.revision ?? 0;
    return [
      is === stray
        ? `revision ${is} is on record twice`
        : `revision ${stray + 1} is missing; ${is} comes after ${stray}`,
    ];
  }
  return links.length < revision
    ? [`the pipeline is at revision ${revision}, and its record ends at ${links.length}`]
    : [];
}

/** REC-9: what was changed within its shape shows where it gives another state than the pipeline has. */
function foldFaults(payloads: readonly unknown[], state: PipelineState): string[] {
  const folded = foldEntries(payloads);
  if (folded.kind === "unreadable") return [`an entry cannot be read: ${folded.why}`];
  if (folded.kind === "broken")
    return [`the entries after revision ${folded.afterRevision} do not follow: ${folded.why}`];
  return isDeepStrictEqual(folded.state, state)
    ? []
    : ["the entries, followed one after the other, give another state than the pipeline has"];
}
