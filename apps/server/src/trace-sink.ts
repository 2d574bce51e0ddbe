import { setTimeout as pause } from "node:timers/promises";
import { otlpTraces, type TraceSource } from "@signalbox/core";
import type { TraceExport } from "@signalbox/engine";
import type { TraceSettings } from "./trace-settings.ts";

type SinkOptions = Pick<TraceSettings, "url" | "headers"> & {
  readonly source: TraceSource;
  readonly withinMs?: number;
  readonly retryAfterMs?: number;
};

/** opentelemetry.io/docs/specs/otlp, "Failures": these may be tried again, and no others. */
const maySendAgain = new Set([429, 502, 503, 504]);
const TRIES = 3;

/** Posts traces to a collector. What it does not take in three tries is lost: traces are no record. */
export function createTraceSink({
  url,
  headers,
  source,
  withinMs = 10_000,
  retryAfterMs = 1_000,
}: SinkOptions): TraceExport["send"] {
  /** Undefined where it was taken. */
  async function post(body: string, cut: AbortSignal): Promise<{ why: string; again: boolean } | undefined> {
    try {
      const response = await fetch(url, {
        method: "POST",
        body,
        headers: { ...headers, "content-type": "application/json", "user-agent": "signalbox" },
        redirect: "error",
        signal: AbortSignal.any([cut, AbortSignal.timeout(withinMs)]),
      });
      await response.body?.cancel();
      if (response.ok) return undefined;
      return { why: `${url.host} answered ${response.status}`, again: maySendAgain.has(response.status) };
    } catch (error) {
      return { why: `${url.host} cannot be reached (${reasonOf(error)})`, again: true };
    }
  }

  return async (spans, cut) => {
    const body = JSON.stringify(otlpTraces(spans, source));
    for (let tries = 1; ; tries += 1) {
      const failed = await post(body, cut);
      if (failed === undefined) return;
      if (failed.again && tries < TRIES)
        await pause(retryAfterMs * tries, undefined, { signal: cut }).catch(() => undefined);
      if (!failed.again || tries === TRIES || cut.aborted)
        throw new Error(`A trace was not exported: ${failed.why}`);
    }
  };
}

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : "no reason given";
};
