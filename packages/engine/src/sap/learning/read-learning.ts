import { SignalboxError } from "@signalbox/contracts";
import {
  type Aggregate,
  type AggregateKey,
  type LearningScope,
  LEARNT_PLAYBOOK,
  readPublishedDocument,
} from "@signalbox/core";
import {
  findActiveDocument,
  type ListedSapCacheRecord,
  listSapAggregates,
  listSapCacheRecords,
  type StoredSapAggregate,
} from "@signalbox/db";
import { authorise } from "../../authorise.ts";
import { type PageRequest, readCursor, readLimit, readQuery, refuseCursor } from "../../page.ts";
import { holdsNul } from "../../storable.ts";
import type { Asked, System } from "../../system.ts";
import { transact } from "../../transaction.ts";
import { keyOf, readAggregate } from "./learn.ts";
import { momentCursor, type Page, paged } from "./pages.ts";

/** What the cache holds, the newest first. */
export async function listCacheRecords(
  system: System,
  { caller }: Asked,
  page: PageRequest,
): Promise<Page<ListedSapCacheRecord>> {
  authorise(caller, "learning.read", undefined);
  const limit = readLimit(page.limit);
  const after = momentCursor(page.cursor);
  const found = await transact(system, caller.tenantId, (tx) =>
    listSapCacheRecords(tx, {
      limit: limit + 1,
      after: after && { storedAt: after.at, recordId: after.id },
    }),
  );
  return paged(found, limit, (one) => [one.storedAt.toISOString(), one.recordId]);
}

export type AggregateView = AggregateKey & { readonly aggregate: Aggregate; readonly changedAt: Date };

function viewOf(row: StoredSapAggregate): AggregateView {
  const { aggregate, changedAt } = row;
  return { ...keyOf(row), aggregate: readAggregate(aggregate), changedAt };
}

/** Signals by {capability, territory, fingerprint}, by what stands above, or all of them together; by name. */
export async function listAggregates(
  system: System,
  { caller }: Asked,
  {
    by = "territory",
    capability,
    territory,
    ...page
  }: PageRequest & {
    by?: LearningScope | undefined;
    capability?: string | undefined;
    territory?: string | undefined;
  },
): Promise<Page<AggregateView>> {
  authorise(caller, "learning.read", undefined);
  const limit = readLimit(page.limit);
  const after = page.cursor === undefined ? undefined : readNamesCursor(page.cursor);
  const found = await transact(system, caller.tenantId, (tx) =>
    listSapAggregates(tx, {
      scope: by,
      capability: readQuery(capability, "capability"),
      territory: territory === "" ? "" : readQuery(territory, "territory"),
      after,
      limit: limit + 1,
    }),
  );
  const { rows, nextCursor } = paged(found, limit, (one) => [one.capability, one.territory, one.fingerprint]);
  return {
    nextCursor,
    rows: rows.map(viewOf),
  };
}

function readNamesCursor(cursor: string) {
  const [capability = "", territory = "", fingerprint = ""] = readCursor(cursor, 3);
  if (holdsNul(capability + territory + fingerprint)) throw refuseCursor();
  return { capability, territory, fingerprint };
}

export type PlaybookInForce = {
  readonly capability: string;
  readonly territory: string | null;
  readonly text: string;
  /** It came of people's corrections, and was accepted. */
  readonly learnt: boolean;
};

/** What whoever works on a task is told, by the policy in force. */
export async function listPlaybooks(
  system: System,
  { caller }: Asked,
): Promise<{ policyVersion: string | null; playbooks: readonly PlaybookInForce[] }> {
  authorise(caller, "learning.read", undefined);
  const active = await transact(system, caller.tenantId, (tx) => findActiveDocument(tx, "routing-policy"));
  if (active === undefined) return { policyVersion: null, playbooks: [] };
  const read = readPublishedDocument("routing-policy", active.document);
  if (read.kind !== "valid")
    throw new SignalboxError(
      "INVALID_STATE",
      `The routing policy ${active.version} was published under other rules and cannot be read any more.`,
    );
  const playbooks = (read.document.sap?.playbooks ?? []).map(({ capability, territory, text }) => ({
    capability,
    territory: territory ?? null,
    text,
    learnt: text.startsWith(LEARNT_PLAYBOOK),
  }));
  return { policyVersion: active.version, playbooks };
}
