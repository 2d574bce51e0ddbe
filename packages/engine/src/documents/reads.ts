import {
  type DocumentKind,
  type DocumentOf,
  type Fault,
  type Parsed,
  type PolicyFinding,
  readDocument,
} from "@signalbox/core";
import {
  type DocumentCursor,
  type DocumentVersion,
  findActiveDocument,
  findDocument,
  listDocuments as listVersions,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { cursorsOf, readLimit, refuseCursor, type PageRequest } from "../page.ts";
import { holdsNul } from "../storable.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { examinePolicy } from "./examine.ts";
import { documentActions } from "./kinds.ts";
import { knownPacks } from "./publish.ts";
import { refuseDocument } from "./refusals.ts";
import { type DocumentView, viewOf } from "./view.ts";

export type DocumentCheck = {
  version: string | undefined;
  faults: readonly Fault[];
  /** What a policy without faults leaves open; none of templates, and none beside faults. */
  findings: readonly PolicyFinding[];
};
export type DocumentPage = { documents: DocumentVersion[]; nextCursor: string | undefined };

/** What publishing the text now would say of it. Nothing is kept. */
export async function checkDocument(
  system: System,
  { caller }: Asked,
  kind: DocumentKind,
  text: string,
): Promise<DocumentCheck> {
  authorise(caller, documentActions[kind].read, undefined);
  return transact(system, caller.tenantId, async (tx) => {
    const read: Parsed<DocumentOf[DocumentKind]> = readDocument(kind, text, {
      known: await knownPacks(tx, kind),
    });
    if (read.kind === "refused") return { version: undefined, faults: read.faults, findings: [] };
    const { document } = read;
    const findings = "routes" in document ? await examinePolicy(tx, system.orchestrator, document, text) : [];
    return { version: document.version, faults: [], findings };
  });
}

/** A version, or the one that is active. */
export async function getDocument(
  system: System,
  { caller }: Asked,
  kind: DocumentKind,
  version: string,
): Promise<DocumentView> {
  authorise(caller, documentActions[kind].read, undefined);
  const found = holdsNul(version)
    ? undefined
    : await transact(system, caller.tenantId, (tx) =>
        version === "active" ? findActiveDocument(tx, kind) : findDocument(tx, kind, version),
      );
  if (found === undefined) throw refuseDocument(kind, version, { reason: "unknown-version" });
  return viewOf(found);
}

/** The active version; undefined where none was published. */
export async function findActive(
  system: System,
  { caller }: Asked,
  kind: DocumentKind,
): Promise<DocumentView | undefined> {
  authorise(caller, documentActions[kind].read, undefined);
  const found = await transact(system, caller.tenantId, (tx) => findActiveDocument(tx, kind));
  return found && viewOf(found);
}

/** The newest first, without their texts. */
export async function listDocuments(
  system: System,
  { caller }: Asked,
  kind: DocumentKind,
  page: PageRequest,
): Promise<DocumentPage> {
  authorise(caller, documentActions[kind].read, undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readDocumentCursor(kind, page.cursor);
  const { documents, next } = await transact(system, caller.tenantId, (tx) =>
    listVersions(tx, kind, { limit, after }),
  );
  return {
    documents,
    nextCursor: next && cursorsOf(kind).write([next.createdAt.toISOString(), next.version]),
  };
}

function readDocumentCursor(kind: DocumentKind, cursor: string): DocumentCursor {
  const [at = "", version = ""] = cursorsOf(kind).readMoment(cursor, 2);
  if (holdsNul(version)) throw refuseCursor();
  return { createdAt: new Date(at), version };
}
