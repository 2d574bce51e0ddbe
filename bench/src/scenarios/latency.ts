import { measureInRounds } from "../measure/rounds.ts";
import { graphileWorker } from "../peers/graphile-worker.ts";
import { signalbox } from "../signalbox/signalbox.ts";
import type { Scenario } from "./scenario.ts";
import { withSignalbox } from "./signalbox.ts";

const PER_SECOND = 50;

export const latency: Scenario = {
  title: `Latency: from a task's acceptance to its envelope in an agent's hands, ${PER_SECOND} tasks/s`,
  short: true,
  run: async (course) => {
    const arrivals = { perSecond: PER_SECOND, ...course.span };
    const seen = await measureInRounds(
      course.rounds,
      {
        signalbox: () =>
          withSignalbox(course, 1, (url) => signalbox.startLatency({ url, tenants: 1, arrivals })),
        graphile: () =>
          course.server.withDatabase((url) =>
            graphileWorker.startLatency({ url, concurrency: 4, batched: false, arrivals }),
          ),
      },
      course.say,
    );
    const against = (name: string, figure: keyof typeof seen.graphile) => ({
      name,
      value: seen.signalbox[figure],
      unit: "ms",
      against: {
        name: "graphile-worker, the same of a job",
        value: seen.graphile[figure],
        wanted: { ratioAtMost: 2 },
      },
    });
    return [
      against("accepted to leased, p50", "p50"),
      against("accepted to leased, p99", "p99"),
      // A task is sent in the transaction that accepts it, so the above is next to nothing: this holds the acceptance too.
      against("asked to leased, p50", "askedP50"),
      against("asked to leased, p99", "askedP99"),
    ];
  },
};
