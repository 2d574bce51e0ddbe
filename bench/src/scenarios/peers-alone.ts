import { measureInRounds } from "../measure/rounds.ts";
import { bareInsertRun, dbosRun, graphileRun, pgBossRun, restateRun } from "./peers.ts";
import type { Scenario } from "./scenario.ts";

export const peersAlone: Scenario = {
  title: "The peers alone, with empty handlers",
  short: false,
  run: async (course) => {
    const seen = await measureInRounds(
      course.rounds,
      {
        "graphile-worker, concurrency 1": graphileRun(course, 1),
        "graphile-worker, concurrency 4": graphileRun(course, 4),
        "graphile-worker, concurrency 8": graphileRun(course, 8),
        "graphile-worker, concurrency 8, batched": graphileRun(course, 8, true),
        "pg-boss, singly": pgBossRun(course, 1),
        "pg-boss, by 100": pgBossRun(course, 100),
        "DBOS, direct": dbosRun(course, "direct", 16),
        "DBOS, queued": dbosRun(course, "queued", 100),
        "Restate, 16 at once": restateRun(course, 16),
        "Restate, 64 at once": restateRun(course, 64),
        "bare insert of 1 KB rows by 100": bareInsertRun(course, () => 1024),
      },
      course.say,
    );
    return Object.entries(seen).map(([name, { perSecond }]) => ({ name, value: perSecond, unit: "/s" }));
  },
};
