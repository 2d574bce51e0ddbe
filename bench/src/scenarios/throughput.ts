import { measureInRounds } from "../measure/rounds.ts";
import { bareInsertRun, dbosRun, graphileRun, pgBossRun, restateRun } from "./peers.ts";
import { STAGES } from "../signalbox/documents.ts";
import type { Scenario } from "./scenario.ts";
import { signalboxRun } from "./signalbox.ts";

/** Our transactions under way at once are the engine's lanes; a peer's are its concurrency. */
const CONCURRENCY = 4;

const forInformation = (name: string, value: number, unit = "/s") => ({ name, value, unit });

export const throughput: Scenario = {
  title: "Throughput: three-stage pipelines with everything on, agents in process and empty",
  short: true,
  run: async (course) => {
    let auditRowBytes = 1024;
    const ours = signalboxRun(course);
    const seen = await measureInRounds(
      course.rounds,
      {
        signalbox: async () => {
          const figures = await ours();
          ({ auditRowBytes } = figures);
          return figures;
        },
        bareInsert: bareInsertRun(course, () => auditRowBytes),
        restate: restateRun(course, 64),
        restateCalm: restateRun(course, 16),
        dbos: dbosRun(course, "direct", 16),
        dbosQueued: dbosRun(course, "queued", 100),
        graphile: graphileRun(course, CONCURRENCY),
        graphileSingly: graphileRun(course, 1),
        graphileByEight: graphileRun(course, 8),
        graphileBatched: graphileRun(course, 8, true),
        pgBossSingly: pgBossRun(course, 1),
        pgBossByHundred: pgBossRun(course, 100),
      },
      course.say,
    );
    const { pipelines, dispatches, auditRows } = seen.signalbox;
    const pipelinesAgainst = (name: string, value: number, atLeast: number) => ({
      name: "pipelines",
      value: pipelines,
      unit: "/s",
      against: { name, value, wanted: { ratioAtLeast: atLeast } },
    });
    return [
      pipelinesAgainst("Restate, three steps", seen.restate.perSecond, 2.5),
      pipelinesAgainst("DBOS, three steps, direct", seen.dbos.perSecond, 5),
      {
        name: "dispatches",
        value: dispatches,
        unit: "/s",
        against: {
          name: `graphile-worker, concurrency ${CONCURRENCY}`,
          value: seen.graphile.perSecond,
          wanted: { ratioAtLeast: 1.5 },
        },
      },
      {
        name: `audit rows of ${Math.round(auditRowBytes)} bytes`,
        value: auditRows,
        unit: "/s",
        against: {
          name: "bare insert by 100, same bytes",
          value: seen.bareInsert.perSecond,
          wanted: { ratioAtLeast: 0.4 },
        },
      },
      forInformation("audit rows a dispatch", seen.signalbox.auditRowsEach / STAGES, ""),
      forInformation("Restate, 16 at once", seen.restateCalm.perSecond),
      forInformation("Restate, 16 at once, p50", seen.restateCalm.p50, "ms"),
      forInformation("DBOS, queued", seen.dbosQueued.perSecond),
      forInformation("graphile-worker, concurrency 1", seen.graphileSingly.perSecond),
      forInformation("graphile-worker, concurrency 8", seen.graphileByEight.perSecond),
      forInformation("graphile-worker, concurrency 8, batched", seen.graphileBatched.perSecond),
      forInformation("pg-boss, singly", seen.pgBossSingly.perSecond),
      forInformation("pg-boss, by 100", seen.pgBossByHundred.perSecond),
    ];
  },
};
