import { SignalboxError } from "@signalbox/contracts";
import {
  type Caller,
  dispatchIdOf,
  type DispatchPlace,
  judgeReporting,
  type Redactor,
} from "@signalbox/core";
import {
  type BatchTransaction,
  type DispatchKey,
  findCountingKeys,
  findReportedDispatches,
  readRegistryChanges,
  type ReportedDispatch,
} from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { withoutPolicy } from "../documents/document-cache.ts";
import type { Engine } from "../engine.ts";
import { isConfirmed, keyNoLongerCounts, unconfirmedKeysOf } from "../identity/confirm-keys.ts";

/** Somebody's report on a dispatch. */
export type Report = {
  readonly caller: Caller;
  readonly dispatchId: string;
  readonly place: DispatchPlace;
  readonly unconfirmedKey: string | undefined;
};

/** One text for a dispatch, for maps; no tenant's id holds a slash. */
export const dispatchText = (key: DispatchKey): string => `${key.tenantId}/${dispatchIdOf(key)}`;

export const keyOf = ({ caller: { tenantId }, place }: Report): DispatchKey => ({ tenantId, ...place });

export type Reporting = {
  readonly dispatches: ReadonlyMap<string, ReportedDispatch>;
  readonly redactors: ReadonlyMap<string, Redactor>;
  /** Of the tenants' active routing policies. */
  readonly policyVersions: ReadonlyMap<string, string | null>;
  readonly countingKeys: ReadonlySet<string>;
};

/** What the reports of one transaction are judged on. */
export async function loadReporting(
  { documents }: Pick<Engine, "documents">,
  tx: BatchTransaction,
  reports: readonly Report[],
): Promise<Reporting> {
  const keys = new Map(reports.map(keyOf).map((key) => [dispatchText(key), key]));
  const [found, tenants, countingKeys] = await Promise.all([
    findReportedDispatches(tx, [...keys.values()]),
    readRegistryChanges(tx, tx.tenantIds),
    findCountingKeys(tx, unconfirmedKeysOf(reports)),
  ]);
  const redactors = await Promise.all(
    tenants.map(async ({ tenantId, policyVersion }) => {
      const inForce =
        policyVersion === null
          ? withoutPolicy
          : await documents.load(tx, tenantId, "routing-policy", policyVersion);
      return [tenantId, inForce.redactor] as const;
    }),
  );
  return {
    dispatches: new Map(found.map((one) => [dispatchText(one), one])),
    redactors: new Map(redactors),
    policyVersions: new Map(tenants.map(({ tenantId, policyVersion }) => [tenantId, policyVersion])),
    countingKeys,
  };
}

/** SAOP-2, SAOP-3: the dispatch, where it is the caller's to report on and not over. */
export function requireReporting({ dispatches, redactors, countingKeys }: Reporting, report: Report) {
  const { caller, dispatchId } = report;
  if (!isConfirmed(report, countingKeys)) throw keyNoLongerCounts();
  const dispatch = dispatches.get(dispatchText(keyOf(report)));
  if (dispatch === undefined) throw unknownDispatch(dispatchId);
  authorise(caller, "dispatch.report", { packId: dispatch.packId });
  if (judgeReporting(dispatch, dispatch.now) === "stale") throw staleDispatch(dispatchId);
  const redactor = redactors.get(caller.tenantId);
  // A policy that is not known must not be taken for none (D21).
  if (redactor === undefined) throw new Error(`the redactor of tenant ${caller.tenantId} was not loaded`);
  return { dispatch, redactor };
}

export const unknownDispatch = (dispatchId: string) =>
  new SignalboxError("NOT_FOUND", `There is no dispatch "${dispatchId.slice(0, 100)}".`);

export const staleDispatch = (dispatchId: string) =>
  new SignalboxError(
    "STALE_DISPATCH",
    `Dispatch ${dispatchId} is over: nothing of what is reported on it now is kept. Stop working on it.`,
  );
