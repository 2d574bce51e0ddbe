import { createContextKey, type ContextValues, type HandlerContext } from "@connectrpc/connect";
import type { Asked } from "@signalbox/engine";
import { refuseWhileDraining } from "../draining.ts";
import type { Transport } from "../transport.ts";
import { describing, requestIn } from "./interceptors.ts";

const askedKey = createContextKey<Asked | undefined>(undefined);

export function askedOf(values: ContextValues): Asked {
  const asked = values.get(askedKey);
  if (asked === undefined) throw new Error("a call came past the gate that names its caller");
  return asked;
}

/**
 * Names the caller before Connect reads, inflates or decodes anything: interceptors run after all three, so they would
 * do that work for whoever asks. The commands ask for permission, and validate, in that order.
 */
export const requestGate =
  ({ system, identification, limits }: Transport) =>
  async ({ values }: HandlerContext): Promise<void> => {
    const request = requestIn(values);
    await describing(values, async () => {
      refuseWhileDraining(system);
      limits.refuse(request);
      const caller = await identification.requireCaller(request);
      values.set(askedKey, { caller, requestId: request.id });
    });
  };
