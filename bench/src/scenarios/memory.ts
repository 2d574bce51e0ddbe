import { signalbox } from "../signalbox/signalbox.ts";
import type { Scenario } from "./scenario.ts";
import { IN_FLIGHT, withSignalbox } from "./signalbox.ts";

const FEW = 10_000;
const MANY = 100_000;

export const memory: Scenario = {
  title: `Memory: ${MANY.toLocaleString("en")} pipelines through one process`,
  short: false,
  run: (course) =>
    withSignalbox(course, 1, async (url) => {
      const { afterFew, afterMany } = await signalbox.memory({
        url,
        tenants: 1,
        inFlight: IN_FLIGHT,
        few: FEW,
        many: MANY,
      });
      return [
        {
          name: `heap after ${MANY.toLocaleString("en")}`,
          value: afterMany,
          unit: "MB",
          against: {
            name: `after ${FEW.toLocaleString("en")}`,
            value: afterFew,
            wanted: { differenceAtMost: 20 },
          },
        },
      ];
    }),
};
