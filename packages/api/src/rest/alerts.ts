import { listAlerts } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { alertPageView } from "../alert-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { listQuery, readQuery } from "./list-query.ts";

export const alertsQuery = listQuery({});

export function alertRoutes(app: FastifyInstance, transport: Transport): void {
  const route = identifiedRoutes(app, transport);
  route("GET", "/v1/alerts", async (asked, request) => {
    const page = await listAlerts(transport.system, asked, readQuery(alertsQuery, request.query));
    return { ...alertPageView(page), nextCursor: page.nextCursor };
  });
}
