import type { AttachmentReference, LinkedAttachment } from "@signalbox/engine";

export const attachmentView = ({ keptAt, expiresAt, ...reference }: AttachmentReference) => ({
  ...reference,
  keptAt: keptAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
});

/** Without PUBLIC_URL nobody here knows by what name the reader came: the link is for the address that was asked. */
export function linkedAttachmentView({ reference, link }: LinkedAttachment, publicUrl: URL | undefined) {
  const { tenantId, attachmentId, pipelineId, expires, signature } = link;
  const query = new URLSearchParams({
    tenant: tenantId,
    pipeline: pipelineId,
    expires: String(expires),
    signature,
  });
  const path = `/v1/attachments/${attachmentId}/content?${query.toString()}`;
  return {
    ...attachmentView(reference),
    url: publicUrl === undefined ? path : new URL(path, publicUrl).href,
    urlExpiresAt: new Date(expires * 1_000).toISOString(),
  };
}
