import { linkQuery, namedAs } from "../../rest/attachments.ts";
import { attachmentId, dispatchId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { attachedBytes, attachment, linkedAttachment } from "../schemas/attachments.ts";

const attachmentPath = { attachmentId: { description: "The attachment.", example: attachmentId } };

export const attachmentOperations: Operations = {
  "POST /v1/attachments": {
    id: "keepAttachment",
    tag: "Attachments",
    summary: "Keep bytes beside the envelopes, to be named in them",
    description:
      "At most 8 MiB, of the media type that the request has, kept for 30 days. What is in it is not looked into and not masked.",
    access: { action: "attachment.keep" },
    query: namedAs,
    exampleQuery: { name: "plan.txt" },
    body: { schema: attachedBytes, example: "a plan", mediaType: "text/plain" },
    answers: { 201: { description: "It is kept.", schema: attachment } },
    refuses: ["PAYLOAD_TOO_LARGE"],
    repeated: { safeBecause: "a second one is another attachment, which nobody names" },
  },
  "GET /v1/attachments/:attachmentId": {
    id: "linkToAttachment",
    tag: "Attachments",
    summary: "Read what an attachment is, with a link to its bytes",
    access: { action: "attachment.read" },
    path: attachmentPath,
    answers: {
      200: { description: "The link is good for 15 minutes, and is on record.", schema: linkedAttachment },
    },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/dispatches/:dispatchId/attachments/:attachmentId": {
    id: "linkToAttachmentOfDispatch",
    tag: "Attachments",
    summary: "The same for an agent at work, of what its envelope names",
    access: { action: "dispatch.report" },
    path: {
      dispatchId: { description: "The dispatch, as its envelope names it.", example: dispatchId },
      ...attachmentPath,
    },
    answers: {
      200: { description: "The link is bound to the dispatch's pipeline.", schema: linkedAttachment },
    },
    refuses: ["NOT_FOUND", "STALE_DISPATCH"],
  },
  "GET /v1/attachments/:attachmentId/content": {
    id: "readAttachment",
    tag: "Attachments",
    summary: "The bytes, for whoever has a link",
    description:
      "The query is the link's own: what of it is changed makes it none. No credential is asked for.",
    access: "open",
    path: attachmentPath,
    query: linkQuery,
    exampleQuery: { tenant: "default", pipeline: "", expires: "1795000000", signature: "given" },
    answers: {
      200: {
        description: "As they were kept.",
        schema: attachedBytes,
        mediaType: "application/octet-stream",
      },
    },
    refuses: ["FORBIDDEN"],
  },
};
