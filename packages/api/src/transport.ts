import type { Engine } from "@signalbox/engine";
import type { Identification } from "./identification.ts";

/** What every transport gets: the system whose commands it calls, and who says who asks. */
export type Transport = {
  system: Engine;
  identification: Identification;
  publicUrl: URL | undefined;
};
