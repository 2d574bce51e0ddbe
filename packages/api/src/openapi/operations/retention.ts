import { holding, retentionWish } from "../../rest/retention.ts";
import { holdId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import { hold, retention } from "../schemas/retention.ts";

const byPerson = "A person's part: a key cannot.";

export const retentionOperations: Operations = {
  "GET /v1/audit/retention": {
    id: "getRetention",
    tag: "Audit",
    summary: "Read how long the record is kept, what holds it, and what goes next",
    access: { action: "retention.read" },
    answers: { 200: { description: "What holds now, and what was said.", schema: retention } },
  },
  "PUT /v1/audit/retention": {
    id: "changeRetention",
    tag: "Audit",
    summary: "Say for how many months the record is kept",
    description:
      `${byPerson} The record goes by whole months (UTC), each once it ended and so many months have passed. A shorter time ` +
      "takes effect a week after it was said; a longer one at once. Where several tenants wrote in a month, it stays until each of them lets it go.",
    access: { action: "retention.change" },
    body: { schema: retentionWish, example: { keepMonths: 84, reason: "Seven years, as our auditors ask." } },
    answers: { 200: { description: "It is said.", schema: retention } },
  },
  "POST /v1/audit/holds": {
    id: "placeHold",
    tag: "Audit",
    summary: "Hold the record: nothing of it goes",
    description: byPerson,
    access: { action: "retention.hold" },
    body: { schema: holding, example: { reason: "A customer's claim about March." } },
    answers: { 201: { description: "It holds.", schema: hold } },
    refuses: ["INVALID_STATE"],
    repeated: { safeBecause: "two holds hold what one does, and each is released by itself" },
  },
  "POST /v1/audit/holds/:holdId/release": {
    id: "releaseHold",
    tag: "Audit",
    summary: "Release a hold",
    description: byPerson,
    access: { action: "retention.hold" },
    path: { holdId: { description: "The hold.", example: holdId } },
    body: { schema: holding, example: { reason: "The claim was settled." } },
    answers: { 200: { description: "It holds no more.", schema: hold } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: { safeBecause: "a hold is released once, and whoever comes second is told so" },
  },
};
