import { measureInRounds } from "../measure/rounds.ts";
import { sapTasks } from "../signalbox/sap.ts";
import type { Scenario } from "./scenario.ts";

/** Asked of a cache, an answer must be worth asking for: beside the fastest work there is, and beside a plain floor. */
export const sapCache: Scenario = {
  title: "SAP V2.0: a task that the cache answers, beside one that an agent works on",
  short: true,
  run: async (course) => {
    const { span } = course;
    const seen = await measureInRounds(
      course.rounds,
      { sap: () => course.server.withDatabase((url) => sapTasks.hitsAndDispatches({ url, span })) },
      course.say,
    );
    return [
      {
        name: "a hit, alone, p50",
        value: seen.sap.hit,
        unit: "ms",
        against: {
          name: "the fastest dispatch, asked to reported",
          value: seen.sap.fastestDispatch,
          wanted: { ratioAtMost: 0.2 },
        },
      },
      {
        name: "hits, 128 at once",
        value: seen.sap.hitsPerSecond,
        unit: "/s",
        against: { name: "wanted at least", value: 1_000, wanted: { ratioAtLeast: 1 } },
      },
    ];
  },
};
