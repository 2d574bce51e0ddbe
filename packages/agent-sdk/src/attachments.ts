import { SignalboxError } from "@signalbox/contracts";
import { type Connection, request, requestBytes } from "./request.ts";

/** What stands in an answer's data, and comes with the next stage's inputs, in place of bytes. */
export type AttachmentReference = {
  readonly uri: string;
  readonly name: string;
  readonly mediaType: string;
  readonly size: number;
  /** As "sha256:hex". */
  readonly digest: string;
};

/** Of a reference as others may have written it. */
export type NamedAttachment = Pick<AttachmentReference, "uri"> & Partial<AttachmentReference>;

export type Attachments = {
  /** Keeps bytes beside the envelopes; what it gives goes into the answer's data. */
  keepAttachment(
    content: Uint8Array,
    said: { readonly name: string; readonly mediaType?: string },
    signal?: AbortSignal,
  ): Promise<AttachmentReference>;
  /** The bytes that the envelope names; rejects where they are others than the reference says. */
  readAttachment(dispatchId: string, named: NamedAttachment, signal?: AbortSignal): Promise<Uint8Array>;
};

const withinMs = 60_000;
const form = /^signalbox:attachment\/(?<attachmentId>[0-9a-f-]{36})$/;

export function attachmentsOver(connection: Connection): Attachments {
  return {
    async keepAttachment(content, { name, mediaType = "application/octet-stream" }, signal) {
      const path = `/v1/attachments?${new URLSearchParams({ name }).toString()}`;
      const bytes = { content, mediaType };
      const { text } = await request(connection, { path, bytes, withinMs, signal });
      const { uri, name: kept, mediaType: type, size, digest }: AttachmentReference = JSON.parse(text);
      return { uri, name: kept, mediaType: type, size, digest };
    },
    async readAttachment(dispatchId, named, signal) {
      const { attachmentId } = form.exec(named.uri)?.groups ?? {};
      if (attachmentId === undefined)
        throw new SignalboxError("VALIDATION_FAILED", `"${named.uri}" names no attachment of Signalbox`);
      const path = `/v1/dispatches/${encodeURIComponent(dispatchId)}/attachments/${attachmentId}`;
      const { text } = await request(connection, { path, withinMs, signal });
      const link: AttachmentReference & { readonly url: string } = JSON.parse(text);
      // By the address that is known here: the link's own may be one for browsers.
      const { pathname, search } = new URL(link.url, connection.url);
      const asked = { path: pathname + search, withinMs, signal, withoutKey: true } as const;
      const content = await requestBytes(connection, asked);
      const digest = await digestOf(content);
      for (const expected of [named.digest, link.digest])
        if (expected !== undefined && expected !== digest)
          throw new SignalboxError("VALIDATION_FAILED", `Attachment ${attachmentId} is not ${expected}`);
      return content;
    },
  };
}

async function digestOf(content: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new Uint8Array(content)));
  return `sha256:${Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
