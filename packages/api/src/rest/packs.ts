import { toJson } from "@bufbuild/protobuf";
import { AgentManifestSchema } from "@signalbox/contracts";
import { getPack, listPacks, registerPack, type RegisteredPack } from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { packSummaryView } from "../pack-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { listQuery, readQuery, textParameter } from "./list-query.ts";
import { withMessage } from "./with-message.ts";

const packResource = ({ manifest, registeredAt, registeredBy }: RegisteredPack) => ({
  manifest: toJson(AgentManifestSchema, manifest),
  registeredAt: registeredAt.toISOString(),
  registeredBy,
});
const packPath = ({ manifest }: RegisteredPack) =>
  `/v1/packs/${encodeURIComponent(manifest.packId)}/versions/${encodeURIComponent(manifest.packVersion)}`;

export const packsQuery = listQuery({ query: textParameter });

export function packRoutes(app: FastifyInstance, transport: Transport): void {
  const { system } = transport;
  const route = identifiedRoutes(app, transport);

  route("POST", "/v1/packs", async (asked, request, reply) => {
    const { pack, created } = await withMessage(AgentManifestSchema, request.body, (manifest) =>
      registerPack(system, asked, manifest),
    );
    reply.code(created ? 201 : 200).header("location", packPath(pack));
    return packResource(pack);
  });

  route("GET", "/v1/packs", async (asked, request) => {
    const { packs, nextCursor } = await listPacks(system, asked, readQuery(packsQuery, request.query));
    return { packs: packs.map(packSummaryView), nextCursor };
  });

  route<{ packId: string; packVersion: string }>(
    "GET",
    "/v1/packs/:packId/versions/:packVersion",
    async (asked, request) => packResource(await getPack(system, asked, request.params)),
  );
}
