import { z } from "zod";
import { time } from "./common.ts";
import { component } from "./component.ts";

const reference = {
  attachmentId: z.uuid(),
  uri: z.string().meta({ description: "By what envelopes, answers and tasks name it." }),
  name: z.string(),
  mediaType: z.string(),
  size: z.int(),
  digest: z.string().meta({ description: '"sha256:" and its SHA-256 in hexadecimal digits.' }),
  keptAt: time,
  expiresAt: time,
};

export const attachment = component("Attachment", z.strictObject(reference));

export const linkedAttachment = component(
  "LinkedAttachment",
  z.strictObject({
    ...reference,
    url: z.string().meta({
      description: "A signed link; without PUBLIC_URL a path, for the address that was asked.",
    }),
    urlExpiresAt: time,
  }),
);

export const attachedBytes = z.string().meta({ format: "binary" });
