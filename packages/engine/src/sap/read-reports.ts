import type { Result } from "@signalbox/contracts/sap";
import { comparePositions, type FeedPosition, judgeCursor } from "@signalbox/core";
import {
  feedStanding,
  lateSapResults,
  replayEvents,
  sapResultsReported,
  type SapSenderKey,
  type StoredEvent,
} from "@signalbox/db";
import type { System } from "../system.ts";
import { transact } from "../transaction.ts";
import { readStoredResult } from "./answer.ts";
import type { SapDoor } from "./submit-sap-task.ts";

/** Who is told by itself what becomes of its tasks: who submitted them, and by which door. */
export type SapSender = SapSenderKey & { readonly tenantId: string; readonly door: SapDoor };

export type SapReports = {
  /** In the order in which they were decided, each once. */
  readonly results: readonly Result[];
  /** Everything up to here is told with them. */
  readonly next: FeedPosition;
};

/** What is told of one page is told in one step: of two processes that tell the same page, one does. */
const MOST_LOOKED_AT = 100;
const LATE_SECONDS = 24 * 60 * 60;
const MOST_LATE = 10_000;

/** SAP V2.0 §5: what became of the sender's tasks after a position; undefined where it is too old for all to be told. */
export async function readSapReports(
  system: System,
  sender: SapSender,
  { after, until }: { readonly after: FeedPosition; readonly until: FeedPosition },
): Promise<SapReports | undefined> {
  if (comparePositions(after, until) >= 0) return { results: [], next: after };
  return transact(system, sender.tenantId, async (tx) => {
    const page = await replayEvents(
      tx,
      { families: ["sap"], seldom: true },
      { after, until, most: MOST_LOOKED_AT },
    );
    if (page.forgotten) return undefined;
    const found = await sapResultsReported(tx, sender, page.events.map(namedBy));
    return { results: found.map(readStoredResult), next: page.next };
  });
}

const namedBy = ({ payload }: StoredEvent) => {
  const { taskId, revision }: { taskId: string; revision?: number } = JSON.parse(payload);
  return { taskId, revision: revision ?? null };
};

/** Whether the feed has come so far: another process may be ahead of this one, a database that was put back is not. */
export async function isFeedPosition(
  system: System,
  { tenantId }: Pick<SapSender, "tenantId">,
  position: FeedPosition,
): Promise<boolean> {
  const standing = await transact(system, tenantId, (tx) => feedStanding(tx));
  return judgeCursor({ tenantId, ...position }, { tenantId, ...standing }) === "fits";
}

/** For a sender of whom nobody knows what it was told: the Result that counts of each of its tasks of the last day. */
export async function readLateSapResults(system: System, sender: SapSender): Promise<readonly Result[]> {
  const found = await transact(system, sender.tenantId, (tx) =>
    lateSapResults(tx, sender, { seconds: LATE_SECONDS, most: MOST_LATE }),
  );
  return found.map((result) => readStoredResult({ result }));
}
