import { SignalboxError } from "@signalbox/contracts";
import type { Engine } from "../engine.ts";
import { exchangeSapTask } from "../sap/exchange.ts";
import { readSapResult } from "../sap/read-sap-results.ts";
import type { Asked } from "../system.ts";
import type { SapDoorUnderTest } from "./sap-world.ts";
import { askedBy } from "./test-engine.ts";

/** An operator's program. */
export const operator: Asked = {
  ...askedBy("operator"),
  caller: { ...askedBy("operator").caller, credential: "key" },
};
export const prime: Asked = {
  ...askedBy("agent"),
  caller: { ...askedBy("agent", "default", "prime").caller, packIds: ["prime"] },
};
const of = { operator, prime, nobody: operator };

/** The bus in the process, where nobody is unknown. */
export const inProcess = (engineOf: () => Engine): SapDoorUnderTest => ({
  name: "in-process",
  get engine() {
    return engineOf();
  },
  submit: (from, task) => exchangeSapTask(engineOf(), of[from], task),
  result: async (from, taskId) => {
    try {
      return await readSapResult(engineOf(), of[from], taskId);
    } catch (error) {
      if (error instanceof SignalboxError && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  },
});
