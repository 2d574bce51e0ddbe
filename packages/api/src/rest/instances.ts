import {
  drainInstance,
  getInstance,
  listInstances,
  quarantineInstance,
  restoreInstance,
  resumeInstance,
} from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { instanceView } from "../instance-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { jsonBody } from "./json-body.ts";
import { listQuery, readQuery, textParameter } from "./list-query.ts";

type OfInstance = { packId: string; instanceId: string };

export const instancesQuery = listQuery({ packId: textParameter });
const reasoned = z.strictObject({
  note: z.string().refine((text) => text.trim() !== "", "says why; the record keeps it"),
});
export const quarantining = reasoned;
export const draining = reasoned;
export const restoring = z.strictObject({ note: z.string() });
/** Nothing was held against it, so nothing need be said. */
export const resuming = z.strictObject({ note: z.string().default("") });

export function instanceRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("GET", "/v1/instances", async (asked, request) => {
    const page = readQuery(instancesQuery, request.query);
    const { instances, nextCursor } = await listInstances(system, asked, page);
    return { instances: instances.map(instanceView), nextCursor };
  });

  route<OfInstance>("GET", "/v1/instances/:packId/:instanceId", async (asked, request) =>
    instanceView(await getInstance(system, asked, request.params)),
  );

  route<OfInstance>("POST", "/v1/instances/:packId/:instanceId/quarantine", async (asked, request, reply) => {
    const { note } = jsonBody(quarantining, request.body);
    await quarantineInstance(system, asked, { ...request.params, note });
    return reply.code(204).send();
  });

  route<OfInstance>("POST", "/v1/instances/:packId/:instanceId/restore", async (asked, request, reply) => {
    const { note } = jsonBody(restoring, request.body);
    await restoreInstance(system, asked, { ...request.params, note });
    return reply.code(204).send();
  });

  route<OfInstance>("POST", "/v1/instances/:packId/:instanceId/drain", async (asked, request, reply) => {
    const { note } = jsonBody(draining, request.body);
    await drainInstance(system, asked, { ...request.params, note });
    return reply.code(204).send();
  });

  route<OfInstance>("POST", "/v1/instances/:packId/:instanceId/resume", async (asked, request, reply) => {
    const { note } = jsonBody(resuming, request.body);
    await resumeInstance(system, asked, { ...request.params, note });
    return reply.code(204).send();
  });
}
