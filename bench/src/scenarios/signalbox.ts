import { signalbox } from "../signalbox/signalbox.ts";
import type { Course } from "./scenario.ts";

export const IN_FLIGHT = 1000;

/** A database that is ready for so many tenants, dropped after. */
export const withSignalbox = <T>(
  course: Course,
  tenants: number,
  work: (url: string) => Promise<T>,
): Promise<T> =>
  course.server.withDatabase(async (url) => {
    await signalbox.prepare({ url, tenants });
    return work(url);
  });

export const signalboxRun =
  (course: Course, tenants = 1) =>
  () =>
    withSignalbox(course, tenants, (url) =>
      signalbox.throughput({ url, tenants, inFlight: IN_FLIGHT, span: course.span }),
    );
