import { dueLearners } from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { learnFromSignals } from "../sap/learning/learn.ts";
import { waitUntil } from "./wait-until.ts";

/** Learns until nothing is left: a signal counts once no transaction runs that began before it. */
export const learnAll = (engine: Engine): Promise<unknown> =>
  waitUntil(async () => {
    await learnFromSignals(engine, (reason) => {
      throw reason;
    });
    return (await dueLearners(engine.database, 1)).length === 0;
  });
