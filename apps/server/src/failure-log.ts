import { type System, whyAway } from "@signalbox/engine";
import type { Logger } from "pino";

/**
 * Every loop meets a database that is away, each as often as it looks. The process says once that it is lost and once that it
 * is back (`watchReadiness`); of what fails in between it is no news, and of no use to say where.
 */
export const failureLog =
  (log: Pick<Logger, "debug" | "warn" | "error">, readiness: Pick<System["readiness"], "current" | "look">) =>
  (err: unknown, what: string): void => {
    const reason = whyAway(err);
    if (reason === undefined) {
      log.error({ err }, `${what} failed`);
      return;
    }
    void readiness.look();
    const isKnown = readiness.current().checks.some(({ name, ok }) => name === "database" && !ok);
    log[isKnown ? "debug" : "warn"]({ reason }, `${what} failed`);
  };
