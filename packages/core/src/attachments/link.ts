/** What a link is good for. */
export type AttachmentLink = {
  readonly tenantId: string;
  readonly attachmentId: string;
  /** Empty for a reader who was given it outside of a pipeline. */
  readonly pipelineId: string;
  /** In seconds since the epoch. */
  readonly expires: number;
};

const LINK_SECONDS = 15 * 60;

/** BYTES-3 */
export const linkEnd = (now: number, attachmentEnd: number): number =>
  Math.floor(Math.min(now + LINK_SECONDS * 1_000, attachmentEnd) / 1_000);

/** BYTES-3: no part can run into the next, since none holds a line's end. */
export const signedLinkText = ({ tenantId, attachmentId, pipelineId, expires }: AttachmentLink): string =>
  ["signalbox attachment link 1", tenantId, attachmentId, pipelineId, String(expires)].join("\n");

/** BYTES-4 */
export const isLinkOver = ({ expires }: Pick<AttachmentLink, "expires">, now: number): boolean =>
  now >= expires * 1_000;
