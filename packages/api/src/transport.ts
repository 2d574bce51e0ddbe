import type { Engine, IdentityProvider } from "@signalbox/engine";
import type { Identification } from "./identification.ts";
import type { RequestLimits } from "./limits/request-limits.ts";

/** What every transport gets: the system whose commands it calls, and who says who asks. */
export type Transport = {
  system: Engine;
  identification: Identification;
  limits: RequestLimits;
  publicUrl: URL | undefined;
  /** Where people may also sign in, if anywhere. */
  identityProvider: IdentityProvider | undefined;
};
