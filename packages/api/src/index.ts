export { createApp, type AppOptions, type OfferedRoute } from "./app.ts";
export { type AppRouter, procedures } from "./trpc/router.ts";
