import { onObserved, readGauges } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { noStore } from "../no-store.ts";
import { identifiedRoutes } from "../rest/identified-routes.ts";
import type { Transport } from "../transport.ts";
import { createTenantMetrics, METRICS_MEDIA_TYPE } from "./tenant-metrics.ts";

/** What this process committed since it began, for Prometheus; each tenant's to its own readers (ADR 0052). */
export async function metricsPlugin(app: FastifyInstance, transport: Transport): Promise<void> {
  const { system } = transport;
  const byTenant = new Map<string, ReturnType<typeof createTenantMetrics>>();
  const metricsOf = (tenantId: string) => {
    const known = byTenant.get(tenantId) ?? createTenantMetrics(tenantId);
    byTenant.set(tenantId, known);
    return known;
  };
  const stopHearing = onObserved(system, ({ tenantId, seen }) => {
    for (const one of seen) metricsOf(tenantId).add(one);
  });
  app.addHook("onClose", async () => stopHearing());
  app.addHook("onSend", noStore);
  const route = identifiedRoutes(app, transport);
  route("GET", "/metrics", async (asked, _request, reply) => {
    const gauges = await readGauges(system, asked);
    const text = await metricsOf(asked.caller.tenantId).print(gauges);
    return reply.type(METRICS_MEDIA_TYPE).send(text);
  });
}
