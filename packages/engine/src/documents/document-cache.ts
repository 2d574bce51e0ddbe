import { SignalboxError } from "@signalbox/contracts";
import {
  compileRedactor,
  type DocumentKind,
  documentNouns,
  type DocumentOf,
  noPolicy,
  readPublishedDocument,
  type Redactor,
  redactionPolicyOf,
  type RoutingPolicy,
} from "@signalbox/core";
import { type BatchTransaction, type Database, loadPublishedText } from "@signalbox/db";
import { LRUCache } from "lru-cache";

/** A policy ready for use: as dispatch asks it, and as every write is masked by it. */
export type PolicyInForce = { policy: RoutingPolicy; redactor: Redactor };
type Ready = { "routing-policy": PolicyInForce; "pipeline-templates": DocumentOf["pipeline-templates"] };

/**
 * Published versions, read once and kept ready: a version never changes, so that nothing here is ever out of date. What
 * was not used for longest goes first.
 */
export type DocumentCache = {
  load<K extends DocumentKind>(
    tx: BatchTransaction,
    tenantId: string,
    kind: K,
    version: string,
  ): Promise<Ready[K]>;
};

const usual = 500;

export function createDocumentCache({ most = usual }: { most?: number } = {}): DocumentCache {
  const ready: { [K in DocumentKind]: LRUCache<string, Ready[K]> } = {
    "routing-policy": new LRUCache({ max: most }),
    "pipeline-templates": new LRUCache({ max: most }),
  };

  async function load<K extends DocumentKind>(
    tx: BatchTransaction,
    tenantId: string,
    kind: K,
    version: string,
  ): Promise<Ready[K]> {
    const entries: LRUCache<string, Ready[K]> = ready[kind];
    const key = `${tenantId}/${version}`;
    const known = entries.get(key);
    if (known !== undefined) return known;
    const found = await read(tx, tenantId, kind, version);
    entries.set(key, found);
    return found;
  }

  return { load };
}

const caches = new WeakMap<Database, DocumentCache>();

/** The process's own, for whoever works on this database. */
export function documentsOf({ database }: { readonly database: Database }): DocumentCache {
  const known = caches.get(database) ?? createDocumentCache();
  caches.set(database, known);
  return known;
}

async function read<K extends DocumentKind>(
  tx: BatchTransaction,
  tenantId: string,
  kind: K,
  version: string,
): Promise<Ready[K]> {
  const text = await loadPublishedText(tx, tenantId, kind, version);
  if (text === undefined) throw new Error(`${documentNouns[kind]} ${version} was never published`);
  const parsed = readPublishedDocument(kind, text);
  if (parsed.kind === "valid") return prepare[kind](parsed.document);
  const [fault] = parsed.faults;
  throw new SignalboxError(
    "INVALID_STATE",
    `The ${documentNouns[kind]} ${version} was published under other rules and cannot be read any more ` +
      `(line ${fault?.line}: ${fault?.message}). Publish a version that obeys the rules.`,
  );
}

const prepare: { [K in DocumentKind]: (document: DocumentOf[K]) => Ready[K] } = {
  "routing-policy": inForce,
  "pipeline-templates": (document) => document,
};

function inForce(policy: RoutingPolicy): PolicyInForce {
  const { redaction } = policy;
  return { policy, redactor: compileRedactor(redaction && redactionPolicyOf(redaction)) };
}

/** Where no policy was published. */
export const withoutPolicy: PolicyInForce = inForce(noPolicy);
