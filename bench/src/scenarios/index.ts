import { peersAlone } from "./peers-alone.ts";
import type { Scenario } from "./scenario.ts";

export const scenarios: Readonly<Record<string, Scenario>> = {
  peers: peersAlone,
};
