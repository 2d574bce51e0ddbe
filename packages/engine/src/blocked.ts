import { SignalboxError } from "@signalbox/contracts";
import { alertRaisedEvent, redactionBlocked } from "@signalbox/core";
import type { Database } from "@signalbox/db";
import { record } from "./record.ts";
import { tell } from "./stream/tell.ts";

/** What was refused: whose it is, and what it was to be, in words that quote nothing of it. */
export type Blocked = {
  readonly tenantId: string;
  readonly requestId: string;
  readonly pipelineId: string | null;
  readonly what: string;
};

export const isBlocked = (error: unknown): error is SignalboxError =>
  error instanceof SignalboxError && error.code === "REDACTION_FAILED";

/**
 * D21: that something could not be masked, and was refused, is on record and an alert. What was refused took its transaction with
 * it, so this is one of its own.
 */
export const tellBlocked = (
  database: Database,
  { tenantId, requestId, pipelineId, what }: Blocked,
  { detail }: SignalboxError,
): Promise<void> =>
  database.inTenant(tenantId, async (tx) => {
    await record(tx, redactionBlocked({ tenantId, requestId }, what, detail));
    await tell(tx, alertRaisedEvent("redaction-blocked", { pipelineId, detail }));
  });
