import { create, toJson } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  type AgentResult,
  AgentResultSchema,
  checkMessage,
  INSTANCE_STOPPED,
  Outcome,
  SignalboxError,
} from "@signalbox/contracts";
import { withPlainStatus } from "@signalbox/contracts/sacp";
import { type Answer, failed } from "./answer.ts";
import type { Running } from "./agent.ts";
import { type Dispatch, dispatchOf, watchTimeout } from "./dispatch.ts";
import { handOver } from "./hand-over.ts";
import type { HeldDispatch } from "./held-dispatches.ts";
import { createProgress, type Progress } from "./progress.ts";
import { durationOf } from "./recent-work.ts";
import { retrying } from "./retrying.ts";
import { monotonicMs } from "./wait.ts";

/** Works on one dispatch and reports what came of it. Nothing that the work does wrong gets past here. */
export async function carryOut(running: Running, held: HeldDispatch): Promise<void> {
  const began = { at: Date.now(), steadily: monotonicMs() };
  const endWatch = watchTimeout(held);
  const { client, over, trouble } = running;
  const { dispatchId, envelope } = held;
  const role = running.settings.role ?? "developer";
  const progress = createProgress({ client, dispatchId, envelope, role, over, trouble });
  try {
    const answered = await answerOf(running, held, progress);
    const tookMs = monotonicMs() - began.steadily;
    if (answered === "nobody waits") return;
    const { answer } = answered;
    const resultFrom = (one: Answer) => resultOf(held, one, began.at, tookMs);
    const result = resultFrom(answer);
    running.recentWork.add({ tookMs, failed: result.status?.outcome !== Outcome.SUCCESS });
    // A result ends the dispatch: what was told before it should be there before it, but need not.
    await progress.flushed(tellFirstMs);
    held.reporting = true;
    await report(running, result, (fault) => resultFrom(notSendable(fault)));
  } finally {
    endWatch();
    running.held.release(held);
  }
}

const tellFirstMs = 5_000;

async function answerOf(
  running: Running,
  held: HeldDispatch,
  progress: Progress,
): Promise<{ readonly answer: Answer } | "nobody waits"> {
  const { signal } = held.stop;
  let answer: Answer;
  const handOff: Dispatch["handOff"] = (wish) => handOver(running, held, wish);
  try {
    answer = await running.settings.work(dispatchOf(held, progress, handOff, running.client));
  } catch (thrown) {
    answer = failed({
      code: "AGENT_ERROR",
      reason: reasonOf(thrown),
      evidence: "The agent failed before its answer.",
    });
    if (!signal.aborted) running.trouble(troubleOf(thrown), `working on ${held.dispatchId}`);
  }
  if (!signal.aborted) return { answer };
  if (!running.isHandingBack()) return "nobody waits";
  const answerOfStopped = failed({
    code: INSTANCE_STOPPED,
    reason: `Instance ${running.instance.instanceId} had to stop before it was done.`,
    evidence: "The work was called off.",
  });
  return { answer: answerOfStopped };
}

const reasonOf = (thrown: unknown): string =>
  (thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)).slice(0, 4_000);

export const troubleOf = (thrown: unknown): SignalboxError =>
  thrown instanceof SignalboxError
    ? thrown
    : new SignalboxError("INTERNAL", reasonOf(thrown), { cause: thrown });

function resultOf(held: HeldDispatch, answer: Answer, startedAt: number, tookMs: number): AgentResult {
  const { dispatchId, attemptNumber, envelope } = held;
  const { protocolVersion, trace } = envelope;
  const named = {
    dispatchId,
    attemptNumber,
    timing: {
      startedAt: timestampFromMs(startedAt),
      finishedAt: timestampFromMs(startedAt + Math.round(tookMs)),
      duration: durationOf(tookMs),
    },
    ...(protocolVersion === undefined ? {} : { protocolVersion }),
    ...(trace === undefined ? {} : { trace }),
  };
  // Found here a fault costs an attempt; found by Signalbox it would also count towards the instance's quarantine.
  try {
    const result = withPlainStatus(create(AgentResultSchema, { ...answer, ...named }));
    checkMessage(AgentResultSchema, result);
    toJson(AgentResultSchema, result);
    return result;
  } catch (thrown) {
    return create(AgentResultSchema, { ...notSendable(troubleOf(thrown)), ...named });
  }
}

const notSendable = ({ detail, violations }: SignalboxError): Answer =>
  failed({
    code: "INVALID_ANSWER",
    reason: [detail, ...violations.map(({ field, message }) => `${field}: ${message}`)]
      .join("; ")
      .slice(0, 4_000),
    evidence: "The agent's answer broke a rule of the contract.",
  });

/** Until somebody has it: a result that nobody heard is work that was done for nothing. */
async function report(
  running: Running,
  result: AgentResult,
  instead?: (fault: SignalboxError) => AgentResult,
): Promise<void> {
  const doing = `reporting ${result.dispatchId}`;
  try {
    await retrying(() => running.client.reportResult(result, running.over), {
      signal: running.over,
      mostFaults: 5,
      onRetry: (error) => running.trouble(error, doing),
    });
  } catch (thrown) {
    const fault = troubleOf(thrown);
    running.trouble(fault, doing);
    // Too long to be read at all: without another word the work would be lost with its lease, and done again as before.
    if (fault.code === "PAYLOAD_TOO_LARGE" && instead !== undefined) await report(running, instead(fault));
  }
}
