import { createHmac, timingSafeEqual } from "node:crypto";
import { SignalboxError } from "@signalbox/contracts";
import {
  attachmentHandedOut,
  type AttachmentLink,
  isAttachmentId,
  isLinkOver,
  linkEnd,
  namesAttachment,
  readDispatchId,
  signedLinkText,
} from "@signalbox/core";
import {
  type Attachment,
  contentOfAttachment,
  findAttachment,
  findAttempt,
  type TenantTransaction,
  transactionTime,
} from "@signalbox/db";
import { authorise, authoriseForSomePack } from "../authorise.ts";
import { record } from "../record.ts";
import { unknownDispatch } from "../saop/reported-dispatches.ts";
import type { Asked, System } from "../system.ts";
import { transact } from "../transaction.ts";
import { type AttachmentReference, namedOf, referenceOf } from "./keep-attachment.ts";

/** A reference, and with what its bytes are fetched: by whoever has it, without another credential. */
export type LinkedAttachment = {
  readonly reference: AttachmentReference;
  readonly link: AttachmentLink & { readonly signature: string };
};

/** For a person, or a program of theirs. */
export async function linkToAttachment(
  system: System,
  asked: Asked,
  attachmentId: string,
): Promise<LinkedAttachment> {
  authorise(asked.caller, "attachment.read", undefined);
  return transact(system, asked.caller.tenantId, (tx) => handOut(tx, asked, attachmentId, undefined));
}

/** BYTES-1: an agent has what the envelope of a dispatch names that is its own and not over, and nothing else. */
export async function linkToAttachmentOfDispatch(
  system: System,
  asked: Asked,
  dispatchId: string,
  attachmentId: string,
): Promise<LinkedAttachment> {
  const { caller } = asked;
  authoriseForSomePack(caller, "dispatch.report");
  const place = readDispatchId(dispatchId);
  if (place === undefined) throw unknownDispatch(dispatchId);
  return transact(system, caller.tenantId, async (tx) => {
    const attempt = await findAttempt(tx, place);
    if (attempt === undefined) throw unknownDispatch(dispatchId);
    authorise(caller, "dispatch.report", { packId: attempt.packId });
    if (!attempt.atWork)
      throw new SignalboxError(
        "STALE_DISPATCH",
        `Dispatch ${dispatchId} is over, and has no attachments any more.`,
      );
    if (!namesAttachment(attempt.envelope, attachmentId)) throw unknownAttachment(attachmentId);
    return handOut(tx, asked, attachmentId, { dispatchId, pipelineId: place.pipelineId });
  });
}

async function handOut(
  tx: TenantTransaction,
  { caller: { tenantId, actor }, requestId }: Asked,
  attachmentId: string,
  work: { readonly dispatchId: string; readonly pipelineId: string } | undefined,
): Promise<LinkedAttachment> {
  const found = isAttachmentId(attachmentId) ? await findAttachment(tx, attachmentId) : undefined;
  if (found === undefined) throw unknownAttachment(attachmentId);
  const expires = linkEnd(await transactionTime(tx), found.expiresAt.getTime());
  const link = { tenantId, attachmentId: found.attachmentId, pipelineId: work?.pipelineId ?? "", expires };
  const until = new Date(expires * 1_000).toISOString();
  const context = { tenantId, actor, requestId };
  await record(tx, attachmentHandedOut(context, namedOf(found), until, work?.dispatchId));
  return {
    reference: referenceOf(found),
    link: { ...link, signature: signatureOf(found, link).toString("base64url") },
  };
}

export type LinkedContent = { readonly reference: AttachmentReference; readonly content: Uint8Array };

/** BYTES-3, BYTES-4: the bytes, to whoever has a link that was given here. */
export async function readLinkedAttachment(
  system: System,
  link: AttachmentLink,
  signature: string,
): Promise<LinkedContent> {
  const { tenantId, attachmentId } = link;
  if (!isAttachmentId(attachmentId)) throw unknownLink();
  return transact(system, tenantId, async (tx) => {
    const found = await findAttachment(tx, attachmentId);
    if (found === undefined || !isSignature(signature, signatureOf(found, link))) throw unknownLink();
    if (isLinkOver(link, await transactionTime(tx)))
      throw new SignalboxError("FORBIDDEN", "The link has ended: ask for another one.");
    const content = await contentOfAttachment(tx, attachmentId);
    if (content === undefined) throw unknownLink();
    return { reference: referenceOf(found), content };
  });
}

const signatureOf = ({ linkSecret }: Attachment, link: AttachmentLink): Buffer =>
  createHmac("sha256", linkSecret).update(signedLinkText(link)).digest();

function isSignature(given: string, right: Buffer): boolean {
  const bytes = Buffer.from(given, "base64url");
  return bytes.length === right.length && timingSafeEqual(bytes, right);
}

const unknownAttachment = (attachmentId: string) =>
  new SignalboxError("NOT_FOUND", `There is no attachment "${attachmentId.slice(0, 100)}" for you.`);

const unknownLink = () =>
  new SignalboxError("FORBIDDEN", "The link was not given here, or what it led to is gone.");
