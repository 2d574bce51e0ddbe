import { SignalboxError } from "@signalbox/contracts";
import { findReasonFaults, holdPlaced, holdReleased, MOST_HOLDS, retentionEvent } from "@signalbox/core";
import { type AuditHold, countOpenHolds, insertHold, lockHold, releaseHoldRow } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { isUuid, refuseFaults, secretFaults } from "../identity/said-names.ts";
import { maskSaid } from "../note.ts";
import { record } from "../record.ts";
import { tell } from "../stream/tell.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

const refuseReason = (detail: string, reason: string): void =>
  refuseFaults(detail, [...findReasonFaults(reason), ...secretFaults({ reason })]);

/** From here on nothing of the tenant's record goes, however old it is. */
export async function placeHold(
  system: System,
  { caller, requestId }: Asked,
  { reason }: { reason: string },
): Promise<AuditHold> {
  authorise(caller, "retention.hold", undefined);
  refuseReason("The record cannot be held so.", reason);
  const { tenantId, actor } = caller;
  return transact(system, tenantId, async (tx) => {
    if ((await countOpenHolds(tx)) >= MOST_HOLDS)
      throw new SignalboxError(
        "INVALID_STATE",
        `The record is held ${MOST_HOLDS} times already, which is as often as it can be. Release a hold that is over.`,
      );
    const hold = await insertHold(tx, {
      reason: await maskSaid(system, tx, reason.trim()),
      placedBy: actor.id,
    });
    await record(tx, holdPlaced({ tenantId, actor, requestId }, hold, hold.reason));
    await tell(tx, retentionEvent());
    return hold;
  });
}

export async function releaseHold(
  system: System,
  { caller, requestId }: Asked,
  holdId: string,
  { reason }: { reason: string },
): Promise<AuditHold> {
  authorise(caller, "retention.hold", undefined);
  refuseReason("The hold cannot be released so.", reason);
  const { tenantId, actor } = caller;
  return transact(system, tenantId, async (tx) => {
    const hold = isUuid(holdId) ? await lockHold(tx, holdId) : undefined;
    if (hold === undefined) throw new SignalboxError("NOT_FOUND", "There is no such hold.");
    if (hold.releasedBy !== null)
      throw new SignalboxError("INVALID_STATE", `The hold was released by ${hold.releasedBy} already.`);
    const said = await maskSaid(system, tx, reason.trim());
    await releaseHoldRow(tx, hold.holdId, { releasedBy: actor.id, releaseReason: said });
    await record(tx, holdReleased({ tenantId, actor, requestId }, hold, said));
    await tell(tx, retentionEvent());
    return (await lockHold(tx, hold.holdId)) ?? hold;
  });
}
