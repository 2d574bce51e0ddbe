export { type Limit, type Limits, noLimits, usualLimits } from "./limits/limits.ts";
export { createApp, type AppOptions, type OfferedRoute } from "./app.ts";
export { type AppRouter, procedures } from "./trpc/router.ts";
export type { StreamEvent, StreamMessage } from "@signalbox/contracts/stream";
export type { AuditEventName } from "./audit-view.ts";
