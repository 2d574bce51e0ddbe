import { z } from "zod";
import { keysRouter } from "./keys.ts";
import { membersRouter } from "./members.ts";
import { packsRouter } from "./packs.ts";
import { router } from "./procedures.ts";
import { sessionRouter } from "./session.ts";
import { systemRouter } from "./system.ts";

export const appRouter = router({
  keys: keysRouter,
  members: membersRouter,
  packs: packsRouter,
  session: sessionRouter,
  system: systemRouter,
});

export type AppRouter = typeof appRouter;

/** What the router offers, so that what must hold of all procedures can be tried on all of them. */
export const procedures: { path: string; type: string }[] = Object.entries(appRouter._def.procedures).map(
  ([path, procedure]) => ({ path, type: typeOf(procedure) }),
);

/** tRPC keeps what a procedure is where its types do not say so. */
function typeOf(procedure: object): string {
  const { type } = z.looseObject({ type: z.string() }).parse(Reflect.get(procedure, "_def"));
  return type;
}
