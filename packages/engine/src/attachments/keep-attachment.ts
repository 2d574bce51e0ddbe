import { createHash } from "node:crypto";
import { SignalboxError } from "@signalbox/contracts";
import {
  ALL_ATTACHMENTS,
  attachmentFaults,
  attachmentKept,
  type AttachmentSaid,
  attachmentUri,
  LARGEST_ATTACHMENT,
} from "@signalbox/core";
import { type Attachment, insertAttachment, roomTaken } from "@signalbox/db";
import { authorise } from "../authorise.ts";
import { refuseFaults, secretFaults } from "../identity/said-names.ts";
import { record } from "../record.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";

/** What envelopes, answers and tasks say of an attachment: enough to know it when it comes. */
export type AttachmentReference = AttachmentSaid & {
  readonly attachmentId: string;
  readonly uri: string;
  /** As "sha256:hex". */
  readonly digest: string;
  readonly keptAt: Date;
  readonly expiresAt: Date;
};

/** Keeps what an envelope is too small for; what is in it is nobody's to read but who is given a link. */
export async function keepAttachment(
  system: System,
  { caller, requestId }: Asked,
  { name, mediaType, content }: { name: string; mediaType: string; content: Uint8Array },
): Promise<AttachmentReference> {
  authorise(caller, "attachment.keep", undefined);
  const size = content.byteLength;
  refuseFaults("The attachment cannot be kept.", [
    ...attachmentFaults({ name, mediaType, size }),
    ...secretFaults({ name }),
  ]);
  if (size > LARGEST_ATTACHMENT)
    throw new SignalboxError("PAYLOAD_TOO_LARGE", `An attachment has at most ${LARGEST_ATTACHMENT} bytes.`);
  const digest = createHash("sha256").update(content).digest();
  const { tenantId, actor } = caller;
  return transact(system, tenantId, async (tx) => {
    const taken = await roomTaken(tx);
    if (taken + size > ALL_ATTACHMENTS)
      throw new SignalboxError(
        "PAYLOAD_TOO_LARGE",
        `The tenant's attachments have ${taken} bytes of ${ALL_ATTACHMENTS}; each goes 30 days after it came.`,
      );
    const linkSecret = system.randomBytes(32);
    const kept = await insertAttachment(tx, {
      name,
      mediaType,
      size,
      digest,
      linkSecret,
      keptBy: actor.id,
      content,
    });
    await record(tx, attachmentKept({ tenantId, actor, requestId }, namedOf(kept)));
    return referenceOf(kept);
  });
}

export const namedOf = ({ attachmentId, name, size, digest }: Attachment) => ({
  attachmentId,
  name,
  size,
  digest: Buffer.from(digest).toString("hex"),
});

export const referenceOf = (kept: Attachment): AttachmentReference => ({
  attachmentId: kept.attachmentId,
  uri: attachmentUri(kept.attachmentId),
  name: kept.name,
  mediaType: kept.mediaType,
  size: kept.size,
  digest: `sha256:${namedOf(kept).digest}`,
  keptAt: kept.keptAt,
  expiresAt: kept.expiresAt,
});
