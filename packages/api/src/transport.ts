import type { System } from "@signalbox/engine";
import type { Identification } from "./identification.ts";

/** What every transport gets: the system whose commands it calls, and who says who asks. */
export type Transport = {
  system: System;
  identification: Identification;
  publicUrl: URL | undefined;
};
