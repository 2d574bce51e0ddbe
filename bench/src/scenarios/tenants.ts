import { measureInRounds } from "../measure/rounds.ts";
import type { Scenario } from "./scenario.ts";
import { signalboxRun } from "./signalbox.ts";

const TENANTS = 200;

export const tenants: Scenario = {
  title: `Tenants: ${TENANTS} instead of one`,
  short: true,
  run: async (course) => {
    const seen = await measureInRounds(
      course.rounds,
      { many: signalboxRun(course, TENANTS), one: signalboxRun(course) },
      course.say,
    );
    return [
      {
        name: `pipelines of ${TENANTS} tenants`,
        value: seen.many.pipelines,
        unit: "/s",
        against: { name: "of one", value: seen.one.pipelines, wanted: { ratioAtLeast: 0.85 } },
      },
    ];
  },
};
