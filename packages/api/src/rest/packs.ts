import { toJson } from "@bufbuild/protobuf";
import { AgentManifestSchema } from "@signalbox/contracts";
import { getPack, listPacks, registerPack, type RegisteredPack } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { packSummaryView } from "../pack-view.ts";
import type { Transport } from "../transport.ts";
import { askedBy } from "./asked.ts";
import { pageQuery } from "./page-query.ts";
import { withMessage } from "./with-message.ts";

const packResource = ({ manifest, registeredAt, registeredBy }: RegisteredPack) => ({
  manifest: toJson(AgentManifestSchema, manifest),
  registeredAt: registeredAt.toISOString(),
  registeredBy,
});
const packPath = ({ manifest }: RegisteredPack) =>
  `/v1/packs/${encodeURIComponent(manifest.packId)}/versions/${encodeURIComponent(manifest.packVersion)}`;

export function packRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const identify = askedBy(transport);

  app.route<{ Body: Uint8Array | undefined }>({
    method: "POST",
    url: "/v1/packs",
    onRequest: identify.hook,
    handler: async (request, reply) => {
      const { pack, created } = await withMessage(AgentManifestSchema, request.body, (manifest) =>
        registerPack(system, identify.of(request), manifest),
      );
      reply.code(created ? 201 : 200).header("location", packPath(pack));
      return packResource(pack);
    },
  });

  app.route({
    method: "GET",
    url: "/v1/packs",
    onRequest: identify.hook,
    handler: async (request) => {
      const { packs, nextCursor } = await listPacks(system, identify.of(request), pageQuery(request.query));
      return { packs: packs.map(packSummaryView), nextCursor };
    },
  });

  app.route<{ Params: { packId: string; packVersion: string } }>({
    method: "GET",
    url: "/v1/packs/:packId/versions/:packVersion",
    onRequest: identify.hook,
    handler: async (request) => packResource(await getPack(system, identify.of(request), request.params)),
  });
}
