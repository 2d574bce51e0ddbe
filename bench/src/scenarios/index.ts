import { history } from "./history.ts";
import { latency } from "./latency.ts";
import { memory } from "./memory.ts";
import { peersAlone } from "./peers-alone.ts";
import { sapCache } from "./sap-cache.ts";
import type { Scenario } from "./scenario.ts";
import { tenants } from "./tenants.ts";
import { throughput } from "./throughput.ts";
import { twoEngines } from "./two-engines.ts";

export const scenarios: Readonly<Record<string, Scenario>> = {
  throughput,
  latency,
  tenants,
  "two-engines": twoEngines,
  history,
  memory,
  "sap-cache": sapCache,
  peers: peersAlone,
};
