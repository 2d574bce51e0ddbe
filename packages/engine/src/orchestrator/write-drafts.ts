import { alertRaisedEvent, redactionBlocked } from "@signalbox/core";
import {
  appendAuditBatch,
  assertNode,
  clearInvalidCounts,
  closeEscalations,
  deleteCancelSignals,
  deleteOpenDispatches,
  insertCancelSignals,
  insertDispatches,
  insertEvents,
  insertOpenDispatches,
  insertPipelines,
  insertResults,
  insertStages,
  insertTasks,
  insertTurns,
  openEscalations,
  updatePipelines,
  updateStages,
} from "@signalbox/db";
import { recordBatch } from "../record.ts";
import { writeSapResults } from "../sap/write-results.ts";
import { eventRow } from "../stream/tell.ts";
import { isUntouched } from "./draft.ts";
import type { Batch } from "./open-batch.ts";
import type { Orchestrator } from "./orchestrator.ts";
import { writeBreakers } from "./write-breakers.ts";
import * as rows from "./rows.ts";

/**
 * Everything a batch decided, a statement a table, all on their way before the first is answered. The order keeps what
 * one needs of another: an escalation is opened before it is closed.
 */
export async function writeDrafts(
  batch: Batch,
  { node, takeWithinMs, documents }: Pick<Orchestrator, "node" | "takeWithinMs" | "documents">,
): Promise<void> {
  const { tx, now } = batch;
  await writeBreakers(batch);
  const drafts = [...batch.drafts.values()].filter((draft) => !isUntouched(draft));
  const begun = drafts.filter(({ created }) => created !== undefined);
  const reported = await writeSapResults(batch, documents, drafts);
  const [unmatched] = await Promise.all([
    updatePipelines(
      tx,
      drafts.flatMap((draft) => rows.pipelineChange(draft) ?? []),
    ),
    insertTasks(tx, begun.map(rows.taskRow)),
    insertPipelines(tx, begun.map(rows.newPipelineRow)),
    insertStages(
      tx,
      begun.flatMap((draft) => rows.newStageRows(draft, now)),
    ),
    updateStages(
      tx,
      drafts.flatMap((draft) => rows.stageChanges(draft, now)),
    ),
    deleteOpenDispatches(tx, drafts.flatMap(rows.endedDispatches)),
    insertDispatches(
      tx,
      drafts.flatMap((draft) => draft.sent.map((one) => rows.dispatchRow(draft, one))),
    ),
    insertOpenDispatches(
      tx,
      drafts.flatMap((draft) =>
        rows.stillOpen(draft).map((one) => rows.openDispatchRow(draft, one, now + takeWithinMs)),
      ),
    ),
    insertResults(tx, drafts.flatMap(rows.resultRows)),
    insertCancelSignals(tx, drafts.flatMap(rows.cancelRows)),
    deleteCancelSignals(tx, drafts.flatMap(rows.lateReports)),
    openEscalations(tx, drafts.flatMap(rows.openedEscalations)),
    closeEscalations(tx, drafts.flatMap(rows.closedEscalations)),
    appendAuditBatch(tx, drafts.flatMap(rows.auditRows)),
    recordBatch(tx, batch.blocked.map(blockedEntry)),
    insertTurns(
      tx,
      drafts.flatMap(({ turns }) => turns.map(({ row }) => row)),
    ),
    insertEvents(tx, [
      ...drafts.flatMap(rows.eventRows),
      ...drafts.flatMap(({ turns }) => turns.map(({ news }) => news)),
      ...reported,
      ...batch.blocked.map(blockedEvent),
    ]),
    clearInvalidCounts(tx, drafts.flatMap(rows.soundInstances)),
    // Sent last: whatever was decided, a node that has lost its lease does not commit it.
    assertNode(tx, node.id, node.epoch()),
  ]);
  if (unmatched.length > 0) {
    throw new Error(`a locked pipeline was changed by somebody else: ${JSON.stringify(unmatched[0])}`);
  }
}

const blockedEntry = ({ key: { tenantId, pipelineId }, error }: Batch["blocked"][number]) =>
  redactionBlocked({ tenantId, requestId: "" }, `What came for pipeline ${pipelineId}`, error.detail);

const blockedEvent = ({ key: { tenantId, pipelineId }, error: { detail } }: Batch["blocked"][number]) =>
  eventRow(tenantId, alertRaisedEvent("redaction-blocked", { pipelineId, detail }));
