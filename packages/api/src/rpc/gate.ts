import { createContextKey, type ContextValues, type HandlerContext } from "@connectrpc/connect";
import type { Asked } from "@signalbox/engine";
import { type KnowsReadiness, refuseWhileDraining } from "../draining.ts";
import type { Transport } from "../transport.ts";
import { describing, requestIn } from "./interceptors.ts";

const askedKey = createContextKey<Asked | undefined>(undefined);

export function askedOf(values: ContextValues): Asked {
  const asked = values.get(askedKey);
  if (asked === undefined) throw new Error("a call came past the gate that names its caller");
  return asked;
}

type Gated = {
  readonly system: KnowsReadiness;
  readonly identification: Pick<Transport["identification"], "requireCaller" | "credentialOf">;
  readonly limits: Pick<Transport["limits"], "refuse" | "pause">;
};

/**
 * Names the caller before Connect reads, inflates or decodes anything: interceptors run after all three, so they would
 * do that work for whoever asks. The commands ask for permission, and validate, in that order.
 */
export const requestGate =
  ({ system, identification, limits }: Gated) =>
  async ({ values }: Pick<HandlerContext, "values">): Promise<void> => {
    const request = requestIn(values);
    const caller = await describing(values, async () => {
      refuseWhileDraining(system);
      limits.refuse(request);
      try {
        return await identification.requireCaller(request);
      } catch (thrown) {
        await limits.pause(request, thrown);
        throw thrown;
      }
    });
    values.set(askedKey, {
      caller,
      requestId: request.id,
      credential: identification.credentialOf(request),
    });
  };
