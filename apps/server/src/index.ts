/** What another program needs to run a Signalbox in its own process, as the demonstration does. */
export { describeFaults, readConfig } from "./config.ts";
export { createLog, logDestination } from "./log.ts";
export { readyBlock } from "./ready-block.ts";
export { start } from "./start.ts";
