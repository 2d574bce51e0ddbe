import type { Violation } from "@signalbox/contracts";

const SCHEME = "signalbox:attachment/";
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const LARGEST_ATTACHMENT = 8 * 1024 * 1024;
/** Of one tenant, at once. */
export const ALL_ATTACHMENTS = 1024 * 1024 * 1024;

/** BYTES-1: by what an envelope, an answer or a task names it. */
export const attachmentUri = (attachmentId: string): string => `${SCHEME}${attachmentId}`;

export const isAttachmentId = (text: string): boolean => uuid.test(text);

/** BYTES-1: whether the text is such a name, and nothing besides. */
export const namesAttachmentOnly = (text: string): boolean =>
  text.startsWith(SCHEME) && isAttachmentId(text.slice(SCHEME.length));

/** BYTES-1: of any JSON text. An id has one length, so that none is the beginning of another. */
export const namesAttachment = (json: string, attachmentId: string): boolean =>
  json.includes(attachmentUri(attachmentId));

export type AttachmentSaid = { readonly name: string; readonly mediaType: string; readonly size: number };

// oxlint-disable-next-line no-control-regex -- these are what it must not hold
const unfit = /[\u0000-\u001f\u007f/\\]/;
const token = "[A-Za-z0-9!#$&^_.+-]{1,100}";
const mediaTypeForm = new RegExp(`^${token}/${token}$`);

/** BYTES-2 */
export function attachmentFaults({ name, mediaType, size }: AttachmentSaid): Violation[] {
  const faults: Violation[] = [];
  const refuse = (field: string, rule: string, message: string) => faults.push({ field, rule, message });
  if (name === "" || name.length > 200 || unfit.test(name))
    refuse(
      "name",
      "file_name",
      "is no file's name: 1 to 200 characters without control characters and slashes",
    );
  if (!mediaTypeForm.test(mediaType))
    refuse("content-type", "media_type", "is no media type such as image/png");
  if (size < 1) refuse("body", "min_len", "is empty; an attachment has at least one byte");
  return faults;
}
