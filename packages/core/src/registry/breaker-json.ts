import { z } from "zod";
import type { BreakerState } from "../dispatch/breaker.ts";

const stored = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("closed"), failures: z.array(z.number()) }),
  z.object({ kind: z.literal("open"), openedAt: z.number() }),
  z.object({ kind: z.literal("probing"), openedAt: z.number(), dispatchId: z.string() }),
]);

export const printBreakerState = (state: BreakerState): string => JSON.stringify(state);

/** Reads what `printBreakerState` wrote; throws where it is anything else. */
export const readBreakerState = (text: string): BreakerState => stored.parse(JSON.parse(text));
