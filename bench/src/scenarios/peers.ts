import { bareInsert } from "../peers/bare-insert.ts";
import { dbos } from "../peers/dbos.ts";
import { graphileWorker } from "../peers/graphile-worker.ts";
import { pgBoss } from "../peers/pg-boss.ts";
import { restate } from "../peers/restate.ts";
import { withRestateServer } from "../peers/restate-server.ts";
import type { Course } from "./scenario.ts";

/** More than any of them does in its time: a queue that runs empty ends the window early, and measures a shorter one. */
const jobsFor = ({ span }: Course, perSecond: number) =>
  Math.ceil((perSecond * (span.warmUpMs + span.windowMs)) / 1000 / 1000) * 1000;

export const graphileRun =
  (course: Course, concurrency: number, batched = false) =>
  () =>
    course.server.withDatabase((url) =>
      graphileWorker.throughput({
        url,
        concurrency,
        batched,
        jobs: jobsFor(course, batched ? 60_000 : 8_000),
        span: course.span,
      }),
    );

export const pgBossRun = (course: Course, batch: number) => () =>
  course.server.withDatabase((url) =>
    pgBoss.throughput({
      url,
      batch,
      concurrency: 4,
      jobs: jobsFor(course, batch > 1 ? 40_000 : 5_000),
      span: course.span,
    }),
  );

export const dbosRun = (course: Course, way: "direct" | "queued", concurrency: number) => () =>
  course.server.withDatabase((url) => dbos[way]({ url, concurrency, span: course.span }));

export const restateRun = (course: Course, concurrency: number) => () =>
  withRestateServer(course.server.directory, (addresses) =>
    restate.throughput({ ...addresses, concurrency, span: course.span }),
  );

export const bareInsertRun = (course: Course, rowBytes: () => number) => () =>
  course.server.withDatabase((url) =>
    bareInsert.throughput({ url, rowBytes: rowBytes(), connections: 4, span: course.span }),
  );
