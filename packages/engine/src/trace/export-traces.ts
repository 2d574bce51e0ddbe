import { isSampled, type Redactor, type Span } from "@signalbox/core";
import { redactorInForce } from "../documents/redactor-in-force.ts";
import type { Engine } from "../engine.ts";
import { maskJson } from "../mask-json.ts";
import { traceIn } from "../orchestrator/read-pipelines.ts";
import { transact } from "../transaction.ts";
import { type EndedPipeline, onPipelineEnded } from "./ended-pipelines.ts";

export type TraceExport = {
  /** From 0 to 1, of the traces (TRACE-14). The record is never sampled. */
  readonly share: number;
  /** Gives one trace to whoever keeps them, and no longer than until `cut`; what it throws is told, and the trace is lost. */
  readonly send: (spans: readonly Span[], cut: AbortSignal) => Promise<void>;
  readonly onFailure: (error: unknown) => void;
};

/** Whoever keeps traces may be away for long, and no work waits for it: what does not fit is lost. */
const MOST_WAITING = 1_000;

/**
 * A2A 5.7: what a pipeline's trace is, once it has ended, goes to a backend of traces, by whichever process ended it. Nothing
 * waits for it. Gives a function that stops listening and sends what waits, for as long as its argument has not settled.
 */
export function exportTraces(
  engine: Engine,
  { share, send, onFailure }: TraceExport,
): (untilCut: Promise<void>) => Promise<void> {
  const waiting: EndedPipeline[] = [];
  const cut = new AbortController();
  let lost = 0;
  let running: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await send(await maskedTrace(engine, next), cut.signal);
      } catch (error) {
        onFailure(error);
      }
      tellLost(lost, `${MOST_WAITING} were waiting already`);
      lost = 0;
    }
    running = undefined;
  }

  function drop(): void {
    tellLost(waiting.splice(0).length, "the process stopped");
    cut.abort();
  }

  function tellLost(count: number, why: string): void {
    if (count > 0) onFailure(new Error(`Traces that were not exported: ${count}; ${why}`));
  }

  const stopHearing = onPipelineEnded(engine, (ended) => {
    if (!isSampled(ended.traceId, share)) return;
    if (waiting.length >= MOST_WAITING) {
      lost += 1;
      return;
    }
    waiting.push(ended);
    running ??= work();
  });
  return async (untilCut) => {
    stopHearing();
    void untilCut.then(drop);
    await running;
  };
}

/** A2A 5.3: masked before it leaves, by the policy in force; what cannot be masked wholly stays here. */
function maskedTrace(engine: Engine, { tenantId, pipelineId }: EndedPipeline): Promise<Span[]> {
  return transact(engine, tenantId, async (tx) => {
    const [redactor, spans] = await Promise.all([redactorInForce(engine, tx), traceIn(tx, pipelineId)]);
    return spans.map((span) => withAttributes(span, maskedAttributes(redactor, span)));
  });
}

const withAttributes = (span: Span, attributes: Span["attributes"]): Span => ({ ...span, attributes });

function maskedAttributes(redactor: Redactor, { attributes }: Span): Span["attributes"] {
  const { json } = maskJson(redactor, attributes, "span");
  return typeof json === "object" && json !== null && !Array.isArray(json) ? json : { masked: true };
}
