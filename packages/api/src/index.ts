export { createApp, type AppOptions } from "./app.ts";
export type { AppRouter } from "./trpc/router.ts";
