import { LARGEST_ATTACHMENT } from "@signalbox/core";
import {
  keepAttachment,
  linkToAttachment,
  linkToAttachmentOfDispatch,
  readLinkedAttachment,
} from "@signalbox/engine";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { attachmentView, linkedAttachmentView } from "../attachment-view.ts";
import type { Transport } from "../transport.ts";
import { identifiedRoutes } from "./identified-routes.ts";
import { readQuery } from "./list-query.ts";

type OfAttachment = { attachmentId: string };
type OfDispatch = OfAttachment & { dispatchId: string };

export const namedAs = z.strictObject({ name: z.string().meta({ description: "The file's name." }) });
export const linkQuery = z.strictObject({
  tenant: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, "a tenant's id"),
  pipeline: z.string().max(128),
  expires: z
    .string()
    .regex(/^\d{1,12}$/, "a whole number")
    .transform(Number),
  signature: z.string().max(100),
});

/** What envelopes name and do not hold: in as bytes, out by a link that is signed and ends (SACP 11). */
export async function attachmentRoutes(app: FastifyInstance, transport: Transport): Promise<void> {
  const { system, publicUrl } = transport;
  // In a context of its own: nowhere else is a body taken that nobody reads.
  await app.register(async (own) => {
    own.removeAllContentTypeParsers();
    own.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: LARGEST_ATTACHMENT },
      (_request, body, done) => done(null, body),
    );
    identifiedRoutes(own, transport)(
      "POST",
      "/v1/attachments",
      async (asked, request, reply) => {
        const { name } = readQuery(namedAs, request.query);
        const [mediaType = ""] = (request.headers["content-type"] ?? "application/octet-stream").split(";");
        const content = request.body ?? new Uint8Array();
        const said = { name, mediaType: mediaType.trim(), content };
        reply.code(201);
        return attachmentView(await keepAttachment(system, asked, said));
      },
      { bodyLimit: LARGEST_ATTACHMENT },
    );
  });
  const route = identifiedRoutes(app, transport);

  route<OfAttachment>("GET", "/v1/attachments/:attachmentId", async (asked, request) =>
    linkedAttachmentView(await linkToAttachment(system, asked, request.params.attachmentId), publicUrl),
  );

  route<OfDispatch>("GET", "/v1/dispatches/:dispatchId/attachments/:attachmentId", async (asked, request) => {
    const { dispatchId, attachmentId } = request.params;
    return linkedAttachmentView(
      await linkToAttachmentOfDispatch(system, asked, dispatchId, attachmentId),
      publicUrl,
    );
  });

  app.get<{ Params: OfAttachment }>("/v1/attachments/:attachmentId/content", async (request, reply) => {
    const { tenant, pipeline, expires, signature } = readQuery(linkQuery, request.query);
    const link = {
      tenantId: tenant,
      attachmentId: request.params.attachmentId,
      pipelineId: pipeline,
      expires,
    };
    const { reference, content } = await readLinkedAttachment(system, link, signature);
    const { name, mediaType, digest } = reference;
    // Whatever it says that it is, a browser keeps it and runs nothing of it.
    return reply
      .headers({
        "content-type": mediaType,
        "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
        "content-security-policy": "default-src 'none'; sandbox",
        "x-content-type-options": "nosniff",
        "repr-digest": `sha-256=:${Buffer.from(digest.slice("sha256:".length), "hex").toString("base64")}:`,
      })
      .send(Buffer.from(content));
  });
}
