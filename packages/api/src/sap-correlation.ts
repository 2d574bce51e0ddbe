import { SignalboxError } from "@signalbox/contracts";
import { UuidSchema } from "@signalbox/contracts/sap";
import type { FastifyRequest } from "fastify";

export const correlationHeader = "x-correlation-id";

/** What the header says, where it is an id. */
export function givenCorrelation({ headers }: Pick<FastifyRequest, "headers">): string | null {
  const given = UuidSchema.safeParse(headers[correlationHeader]);
  return given.success ? given.data : null;
}

/** RFC 9562 §4: capitals mean nothing in it. */
const isSame = (given: unknown, said: unknown): boolean =>
  typeof given === "string" && typeof said === "string" && given.toLowerCase() === said.toLowerCase();

/** The task's own, in the spelling of who asks where they sent it. */
export function correlationOf(request: Pick<FastifyRequest, "headers">, own: string): string {
  const given = givenCorrelation(request);
  return given !== null && isSame(given, own) ? given : own;
}

/** SAP V2.0 §10: a header that names another correlation than the envelope would tell two stories of one task. */
export function refuseOtherCorrelation({ headers }: Pick<FastifyRequest, "headers">, task: unknown): void {
  const given = headers[correlationHeader];
  const said: unknown =
    typeof task === "object" && task !== null ? Reflect.get(task, "correlationId") : undefined;
  if (given === undefined || isSame(given, said)) return;
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
