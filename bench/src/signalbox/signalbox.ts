import { apart } from "../measure/apart.ts";
import { type Arrivals, measureStartLatency } from "../measure/arrivals.ts";
import { createMeter, type Span } from "../measure/meter.ts";
import { startAgents } from "./agents.ts";
import { measureAudit } from "./audit-size.ts";
import { pipelineTemplates, routingPolicy } from "./documents.ts";
import { openCommands } from "./commands.ts";
import { keepPipelinesUnderWay, pipelineOf, stageOf } from "./load.ts";
import { manifest, submission } from "./messages.ts";

type Settings = { url: string; tenants: number };
type Throughput = Settings & { inFlight: number; span: Span; processName?: string };

/** An instance of a pack is one process; so many of them share the work of a tenant. */
const INSTANCES = 4;
const AUDIT_SAMPLE = 200;
const MEGABYTE = 1_048_576;

const tenantIds = (count: number) => Array.from({ length: count }, (_, index) => `tenant-${index}`);
const crewFor = (tenants: number, processName = "one") => ({
  processName,
  instancesEach: Math.max(1, Math.floor(INSTANCES / tenants)),
});

export const signalbox = apart(
  import.meta.url,
  {
    /** Once a database, before anything is measured on it. */
    async prepare({ url, tenants }: Settings) {
      const commands = await openCommands(url);
      for (const tenantId of tenantIds(tenants)) {
        await commands.prepareTenant(tenantId, { manifest: manifest(), routingPolicy, pipelineTemplates });
      }
      await commands.close();
    },

    async throughput({ url, tenants, inFlight, span, processName }: Throughput) {
      const commands = await openCommands(url);
      const pipelines = createMeter(span);
      const inWindow = { pipelines: 0, dispatches: 0 };
      const sample: string[] = [];
      await keepPipelinesUnderWay({
        commands,
        tenants: tenantIds(tenants),
        inFlight,
        crew: crewFor(tenants, processName),
        goOn: () => !pipelines.over(),
        dispatched: () => {
          if (pipelines.measuring()) inWindow.dispatches += 1;
        },
        finished: (_, pipelineId) => {
          pipelines.count();
          if (pipelines.measuring()) inWindow.pipelines += 1;
          if (sample.length < AUDIT_SAMPLE) sample.push(pipelineId);
        },
      });
      await commands.close();
      const perSecond = await pipelines.perSecond;
      const { rowsEach, bytesPerRow } = await measureAudit(url, sample);
      return {
        pipelines: perSecond,
        dispatches: (perSecond * inWindow.dispatches) / inWindow.pipelines,
        auditRows: perSecond * rowsEach,
        auditRowsEach: rowsEach,
        auditRowBytes: bytesPerRow,
      };
    },

    async startLatency({ url, tenants, arrivals }: Settings & { arrivals: Arrivals }) {
      const commands = await openCommands(url);
      const ids = tenantIds(tenants);
      try {
        return await measureStartLatency(arrivals, async (started) => {
          const agents = await startAgents(commands, ids, crewFor(tenants), {
            leased: (envelope) => {
              if (stageOf(envelope) === "first") started(pipelineOf(envelope));
            },
          });
          let asked = 0;
          return {
            ask: async () => {
              asked += 1;
              const accepted = commands.submitTask(ids[asked % tenants] ?? "", submission(`task-${asked}`));
              const { pipelineId } = await Promise.race([accepted, agents.failed]);
              return pipelineId;
            },
            stop: () => agents.stop(),
          };
        });
      } finally {
        await commands.close();
      }
    },

    /** Megabytes of heap in use after collection: when a few have gone through one process, and when many have. */
    async memory({
      url,
      tenants,
      inFlight,
      few,
      many,
    }: Settings & { inFlight: number; few: number; many: number }) {
      const commands = await openCommands(url);
      let finished = 0;
      const runTo = async (target: number) => {
        await keepPipelinesUnderWay({
          commands,
          tenants: tenantIds(tenants),
          inFlight,
          crew: crewFor(tenants),
          goOn: () => finished + inFlight < target,
          finished: () => {
            finished += 1;
          },
        });
        globalThis.gc?.();
        return process.memoryUsage().heapUsed / MEGABYTE;
      };
      const afterFew = await runTo(few);
      const afterMany = await runTo(many);
      await commands.close();
      return { afterFew, afterMany, finished };
    },
  },
  // A hundred thousand pipelines, on a slow machine.
  3_600_000,
);
