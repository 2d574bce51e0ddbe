import { measureInRounds } from "../measure/rounds.ts";
import { signalbox } from "../signalbox/signalbox.ts";
import type { Scenario } from "./scenario.ts";
import { IN_FLIGHT, signalboxRun, withSignalbox } from "./signalbox.ts";

export const twoEngines: Scenario = {
  title: "Two engine processes on one Postgres",
  short: true,
  run: async (course) => {
    const half = (url: string, processName: string) =>
      signalbox.throughput({ url, processName, tenants: 1, inFlight: IN_FLIGHT / 2, span: course.span });
    const seen = await measureInRounds(
      course.rounds,
      {
        two: () =>
          withSignalbox(course, 1, async (url) => {
            const [one, other] = await Promise.all([half(url, "one"), half(url, "other")]);
            return { pipelines: one.pipelines + other.pipelines };
          }),
        one: signalboxRun(course),
      },
      course.say,
    );
    return [
      {
        name: "pipelines of two engines",
        value: seen.two.pipelines,
        unit: "/s",
        against: { name: "of one alone", value: seen.one.pipelines, wanted: { ratioAtLeast: 1 } },
      },
    ];
  },
};
