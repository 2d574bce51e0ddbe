import { AgentManifestSchema } from "@signalbox/contracts";
import { packsQuery } from "../../rest/packs.ts";
import { manifest, packId, packVersion } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { pack, packPage } from "../schemas/packs.ts";

export const packOperations: Operations = {
  "POST /v1/packs": {
    id: "registerPack",
    tag: "Packs",
    summary: "Register a version of a pack",
    description:
      "A version never changes: the same content again is answered with 200, other content refused.",
    access: { action: "pack.register" },
    body: { schema: AgentManifestSchema, example: manifest },
    answers: {
      201: { description: "It is registered.", schema: pack, headers: { location: "Where it is." } },
      200: { description: "It was registered before, with the same content.", schema: pack },
    },
    refuses: ["PACK_VERSION_EXISTS", "PACK_INCOMPATIBLE"],
    repeated: "key",
  },
  "GET /v1/packs": {
    id: "listPacks",
    tag: "Packs",
    summary: "List packs, the newest first",
    access: { action: "pack.read" },
    query: packsQuery,
    exampleQuery: { query: "senior", limit: "10" },
    answers: { 200: { description: "A page.", schema: packPage } },
  },
  "GET /v1/packs/:packId/versions/:packVersion": {
    id: "getPack",
    tag: "Packs",
    summary: "Read a version of a pack",
    access: { action: "pack.read" },
    path: {
      packId: { description: "The pack.", example: packId },
      packVersion: { description: "Its version, exactly.", example: packVersion },
    },
    answers: { 200: { description: "The manifest.", schema: pack } },
    refuses: ["NOT_FOUND"],
  },
};
