import { type AgentResult, SignalboxError, type TaskEnvelope } from "@signalbox/contracts";
import { dispatchIdOf, type DispatchPlace, readDispatchId } from "@signalbox/core";
import { returnEnvelopes } from "@signalbox/db";
import type { Clock } from "../clock.ts";
import type { Engine } from "../engine.ts";
import { endWithoutResult } from "../orchestrator/end-without-result.ts";
import { reportResult } from "../orchestrator/report-result.ts";
import type { Asked } from "../system.ts";
import { reach } from "../transaction.ts";
import { type AgentAdapter, LinkFailure, type Reached, unreadable } from "./agent-adapter.ts";
import { backOffMs } from "./back-off.ts";
import { forgetRefusal, noteRefusal } from "./refusals.ts";

/** What one envelope needs on its way to an instance and back. */
export type HandOver = {
  readonly engine: Engine;
  readonly adapter: AgentAdapter;
  readonly to: Reached;
  readonly asked: Asked;
  readonly random: () => number;
  readonly onFailure: (error: unknown, what: string) => void;
};

export type HandOverEnd = "done" | "not-taken" | "failed";

/** A report that cannot be kept at this moment is tried again for so long; the agent cannot be asked for it again. */
const REPORT_WITHIN_MS = 60_000;

/**
 * Carries one leased envelope to its instance and what the instance answers back, through the commands that an agent
 * would call itself. Gives how it ended, and the failure where there was one.
 */
export async function handOver(
  work: HandOver,
  envelope: TaskEnvelope,
  { signal, onLost }: { signal: AbortSignal; onLost: () => void },
): Promise<{ end: HandOverEnd; error?: unknown }> {
  const dispatchId = envelope.execution?.dispatchId ?? "";
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw new Error(`an envelope names no dispatch: ${dispatchId}`);
  const stopRenewing = work.adapter.channelIsWork ? renewMeanwhile(work, place, onLost) : () => undefined;
  try {
    const answer = await work.adapter.run(work.to, envelope, signal);
    stopRenewing();
    forgetRefusal(work.engine.batches, work.to.tenantId, dispatchId);
    if (answer.kind === "answered") await report(work, dispatchId, answer.result);
    return { end: "done" };
  } catch (error) {
    stopRenewing();
    return { end: await giveUp(work, place, error), error };
  }
}

/** D8: a channel that lives is work; a dispatch that is over all the same is told to whoever works on it. */
function renewMeanwhile(
  { engine, to: { tenantId } }: HandOver,
  place: DispatchPlace,
  onLost: () => void,
): () => void {
  const leaseMs = engine.dispatchLeaseMs;
  const renew = async (): Promise<void> => {
    if ((await engine.renewals.submit({ tenantId, ...place, leaseMs })) !== null) return;
    stop();
    onLost();
  };
  const stop = engine.clock.repeat(Math.max(1, Math.floor(leaseMs / 3)), () => {
    // A database that is away for a moment: the next turn comes before the lease ends.
    renew().catch(() => undefined);
  });
  return stop;
}

async function giveUp(work: HandOver, place: DispatchPlace, error: unknown): Promise<HandOverEnd> {
  const { engine, to } = work;
  const { tenantId } = to;
  const kind = error instanceof LinkFailure ? error.kind : "lost";
  if (kind === "not-taken") {
    await reach(engine, () =>
      engine.batches.inTenants([tenantId], (tx) =>
        returnEnvelopes(tx, [{ tenantId, ...place }], engine.takeWithinMs, "sent"),
      ),
    );
    if (error instanceof LinkFailure)
      noteRefusal(engine.batches, tenantId, dispatchIdOf(place), error.message);
    engine.inboxes.arrived(tenantId, to);
    return "not-taken";
  }
  if (kind === "lost") return "failed";
  const dispatchId = dispatchIdOf(place);
  const isSaid =
    error instanceof LinkFailure &&
    kind !== "over" &&
    (await endWithoutResult(engine, work.asked, dispatchId, { kind, detail: error.message }).then(
      () => true,
      // What cannot be said on record (D21) must not keep the attempt.
      (thrown: unknown) => {
        work.onFailure(thrown, `recording how ${dispatchId} ended`);
        return false;
      },
    ));
  // Nobody is at work on it: its lease ends now, and what follows is what follows every lease that ended.
  if (!isSaid) await engine.renewals.submit({ tenantId, ...place, leaseMs: 0 });
  return "failed";
}

/** What refuses it without ending the attempt leaves an attempt on which nobody works. */
async function report(
  { engine, asked, random }: HandOver,
  dispatchId: string,
  result: AgentResult,
): Promise<void> {
  const end = engine.clock.now().getTime() + REPORT_WITHIN_MS;
  for (let failures = 1; ; failures += 1) {
    try {
      await reportResult(engine, asked, dispatchId, result);
      return;
    } catch (error) {
      const code = error instanceof SignalboxError ? error.code : undefined;
      const isPassing = code === "UNAVAILABLE" && engine.clock.now().getTime() < end;
      if (code === "STALE_DISPATCH") return;
      if (!isPassing) throw refusalOf(error);
      await pause(engine.clock, backOffMs(failures, random));
    }
  }
}

/** What was refused as it came is the agent's fault, and anything else is not. */
export const refusalOf = (error: unknown): LinkFailure =>
  error instanceof SignalboxError && ofTheAgent.has(error.code)
    ? unreadable("its result was refused", error)
    : new LinkFailure("over", "its result was refused", { cause: error });

const ofTheAgent: ReadonlySet<string> = new Set([
  "VALIDATION_FAILED",
  "PAYLOAD_TOO_LARGE",
  "REDACTION_FAILED",
]);

export const pause = (clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      stop();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const stop = clock.after(milliseconds, end);
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end);
  });
