import type { ServiceImpl } from "@connectrpc/connect";
import { SignalboxError, type ControlPlaneService } from "@signalbox/contracts";
import { registerPack, type System } from "@signalbox/engine";
import { askedOf } from "./gate.ts";
import { within } from "./within.ts";

/** Methods that are not here answer UNIMPLEMENTED by Connect itself. */
export const controlPlane = (system: System): Partial<ServiceImpl<typeof ControlPlaneService>> => ({
  registerPack: async ({ manifest }, { values }) => {
    if (manifest === undefined) {
      throw new SignalboxError("VALIDATION_FAILED", "The request names no manifest.", {
        violations: [{ field: "manifest", rule: "required", message: "a manifest is required" }],
      });
    }
    const { pack, created } = await within("manifest", () => registerPack(system, askedOf(values), manifest));
    return { packId: pack.manifest.packId, packVersion: pack.manifest.packVersion, created };
  },
});
