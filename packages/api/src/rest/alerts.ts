import { listAlerts } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { alertView } from "../alert-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { listQuery, readQuery } from "./list-query.ts";

export const alertsQuery = listQuery({});

export function alertRoutes(app: FastifyInstance, transport: Transport): void {
  const route = identifiedRoutes(app, transport);
  route("GET", "/v1/alerts", async (asked, request) => {
    const page = readQuery(alertsQuery, request.query);
    const { alerts, nextCursor } = await listAlerts(transport.system, asked, page);
    return { alerts: alerts.map(alertView), nextCursor };
  });
}
