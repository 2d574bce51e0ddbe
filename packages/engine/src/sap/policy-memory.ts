import { type BatchTransaction, readRegistryChanges } from "@signalbox/db";
import { LRUCache } from "lru-cache";
import { type DocumentCache, type PolicyInForce, withoutPolicy } from "../documents/document-cache.ts";

type Standing = { readonly version: string | null; readonly inForce: PolicyInForce };

export type PolicyMemory = {
  /** As it was when the tenant asked last: good for preparing a question, never for answering one. */
  guess(tenantId: string): PolicyInForce | undefined;
  /** As they are in this transaction. */
  read(tx: BatchTransaction): Promise<ReadonlyMap<string, PolicyInForce>>;
};

const MOST_TENANTS = 1_000;

/** What is asked under a policy can be asked together with which policy is in force: a round trip less for each task. */
export function rememberPolicies(documents: DocumentCache): PolicyMemory {
  const last = new LRUCache<string, Standing>({ max: MOST_TENANTS });

  async function standing(tx: BatchTransaction, tenantId: string, version: string | null): Promise<Standing> {
    const known = last.get(tenantId);
    if (known !== undefined && known.version === version) return known;
    const inForce =
      version === null ? withoutPolicy : await documents.load(tx, tenantId, "routing-policy", version);
    return { version, inForce };
  }

  return {
    guess: (tenantId) => last.get(tenantId)?.inForce,
    async read(tx) {
      const tenants = await readRegistryChanges(tx, tx.tenantIds);
      const found = await Promise.all(
        tenants.map(async ({ tenantId, policyVersion }) => {
          const read = await standing(tx, tenantId, policyVersion);
          last.set(tenantId, read);
          return [tenantId, read.inForce] as const;
        }),
      );
      return new Map(found);
    },
  };
}
