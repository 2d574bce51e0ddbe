import type { ServiceImpl } from "@connectrpc/connect";
import { ControlPlaneService, SignalboxError } from "@signalbox/contracts";
import { health } from "@signalbox/contracts/grpc";
import { followReadiness, type System } from "@signalbox/engine";

const ServingStatus = health.HealthCheckResponse_ServingStatus;

/** The process as a whole, and the service that it serves. */
const known = new Set(["", ControlPlaneService.typeName]);

const statusOf = (readiness: string) =>
  readiness === "ready" ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;

/** grpc.health.v1: what /readyz says. A process that stops says so to whoever watches, and lets them go. */
export const healthService = ({
  readiness,
}: Pick<System, "readiness">): ServiceImpl<typeof health.Health> => ({
  check: ({ service }) => {
    if (!known.has(service))
      throw new SignalboxError("NOT_FOUND", `There is no service "${service.slice(0, 100)}" here.`);
    return { status: statusOf(readiness.current().status) };
  },
  async *watch({ service }, { signal }) {
    if (!known.has(service)) {
      // The protocol keeps the stream: a service may appear. None does here, so the word is given and that is all.
      yield { status: ServingStatus.SERVICE_UNKNOWN };
      return;
    }
    let told: number | undefined;
    for await (const { status } of followReadiness(readiness, signal)) {
      const next = statusOf(status);
      if (next !== told) yield { status: next };
      told = next;
      if (status === "draining") return;
    }
  },
});
