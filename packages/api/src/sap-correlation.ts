import { SignalboxError } from "@signalbox/contracts";
import type { FastifyRequest } from "fastify";

export const correlationHeader = "x-correlation-id";

/** SAP V2.0 §10: a header that names another correlation than the envelope would tell two stories of one task. */
export function refuseOtherCorrelation({ headers }: Pick<FastifyRequest, "headers">, task: unknown): void {
  const given = headers[correlationHeader];
  const said: unknown =
    typeof task === "object" && task !== null ? Reflect.get(task, "correlationId") : undefined;
  // RFC 9562 §4: capitals mean nothing in it.
  const same =
    typeof given === "string" && typeof said === "string" && given.toLowerCase() === said.toLowerCase();
  if (given === undefined || same) return;
  throw new SignalboxError("VALIDATION_FAILED", "The X-Correlation-Id header is not the task's.", {
    violations: [
      {
        field: "X-Correlation-Id",
        rule: "same",
        message: "is not the correlationId of the envelope; send the same, or none",
      },
    ],
  });
}
