import { packsRouter } from "./packs.ts";
import { router } from "./procedures.ts";
import { sessionRouter } from "./session.ts";
import { systemRouter } from "./system.ts";

export const appRouter = router({ packs: packsRouter, session: sessionRouter, system: systemRouter });

export type AppRouter = typeof appRouter;
