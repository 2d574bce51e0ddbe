export { createApp, type AppOptions, type OfferedRoute } from "./app.ts";
export type { AppRouter } from "./trpc/router.ts";
