import { setTimeout as pause } from "node:timers/promises";
import { openDatabase } from "@signalbox/db";
import {
  exportTraces,
  type Engine,
  keepAlerts,
  keepAnswersTidy,
  keepAuditPartitions,
  keepFeedsShort,
  keepInstancesTidy,
  keepProbations,
  keepLearning,
  keepRetention,
  openEngine,
  tellLostInstances,
  type System,
} from "@signalbox/engine";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { failureLog } from "./failure-log.ts";
import { longestIdleMs, shareConnections } from "./open-system.ts";
import { createRefSource } from "./ref-source.ts";
import type { Stop } from "./stop.ts";
import { createTraceSink } from "./trace-sink.ts";

/** An agent that is called and whose call is cut loses what it has done, and its stage a minute and a retry. */
const finishCallsWithinMs = 10_000;
/** Nobody's work waits for a collector, and a stop hardly. */
const finishTracesWithinMs = 2_000;

/** Settles once so long has passed, or when somebody hurries. */
const passed = (ms: number, hurry: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal: hurry }).catch(() => undefined);

type Worked = { config: Config; system: System; appUrl: string; log: Logger; stopping: Stop };

/** Every process may commit what it is asked; only one with loops looks for what is due. */
export async function engineOf({ config, system, appUrl, log, stopping }: Worked): Promise<Engine> {
  const batches = openDatabase({
    url: appUrl,
    applicationName: "signalbox engine",
    maxConnections: shareConnections(config).engine,
    idleInTransactionTimeoutMs: longestIdleMs,
  });
  stopping.add("engine database", () => batches.close());
  const loops = config.role !== "api";
  const onFailure = failureLog(log, system.readiness);
  const engine = await openEngine({
    system,
    batches,
    loops,
    refSource: createRefSource({ hosts: config.refHosts, now: () => system.clock.now().getTime() }),
    onFailure,
  });
  const { traces } = config;
  if (traces !== undefined) {
    const source = { serviceName: traces.serviceName, version: system.orchestrator.version };
    const finish = exportTraces(engine, {
      share: traces.share,
      send: createTraceSink({ ...traces, source }),
      onFailure: (err) => onFailure(err, "exporting a trace"),
    });
    // Closed after the engine, which may bring pipelines to their end while it stops.
    stopping.add("traces", (hurry) => finish(passed(finishTracesWithinMs, hurry)));
  }
  stopping.add("engine", (hurry) => engine.stop(passed(finishCallsWithinMs, hurry)));
  if (loops) {
    stopping.add(
      "audit partitions",
      keepAuditPartitions(system, (err) => onFailure(err, "audit partitions")),
    );
    stopping.add(
      "retention",
      keepRetention(system, (err) => onFailure(err, "retention")),
    );
    stopping.add(
      "feeds",
      keepFeedsShort(system, (err) => onFailure(err, "forgetting old events")),
    );
    stopping.add(
      "learning",
      keepLearning(engine, (err) => onFailure(err, "learning from signals")),
    );
    stopping.add(
      "lost instances",
      tellLostInstances(system, (err) => onFailure(err, "telling of lost instances")),
    );
    stopping.add(
      "alerts",
      keepAlerts(system, (err) => onFailure(err, "recording alerts")),
    );
    stopping.add(
      "probations",
      keepProbations(system, (err) => onFailure(err, "letting instances work on probation")),
    );
  }
  stopping.add(
    "kept answers",
    keepAnswersTidy(system, (err) => onFailure(err, "forgetting kept answers")),
  );
  // In every process: each knows only of the tenants whose heartbeats it heard itself.
  stopping.add(
    "instances",
    keepInstancesTidy(system, (err) => onFailure(err, "forgetting instances")),
  );
  return engine;
}
