import { measureInRounds } from "../measure/rounds.ts";
import { history as filler } from "../signalbox/history.ts";
import { signalbox } from "../signalbox/signalbox.ts";
import type { Scenario } from "./scenario.ts";
import { IN_FLIGHT, signalboxRun, withSignalbox } from "./signalbox.ts";

const ENTRIES_EACH = 5;

export const history: Scenario = {
  title: "History: a million finished pipelines (unless --past says otherwise), five audit entries each",
  short: false,
  run: (course) =>
    withSignalbox(course, 1, async (url) => {
      const onFull = () => signalbox.throughput({ url, tenants: 1, inFlight: IN_FLIGHT, span: course.span });
      // The first leaves the finished pipelines that are copied.
      await onFull();
      await filler.copyPipelines({ url, pipelines: course.past, entriesEach: ENTRIES_EACH });
      const seen = await measureInRounds(
        course.rounds,
        { full: onFull, empty: signalboxRun(course) },
        course.say,
      );
      return [
        {
          name: `pipelines, ${course.past.toLocaleString("en")} before them`,
          value: seen.full.pipelines,
          unit: "/s",
          against: {
            name: "without",
            value: seen.empty.pipelines,
            wanted: { ratioAtLeast: 0.85 },
          },
        },
      ];
    }),
};
