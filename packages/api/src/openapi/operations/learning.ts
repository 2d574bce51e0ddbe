import { acceptance, rating, refusal } from "../../learning-bodies.ts";
import { aggregatesQuery, proposalsQuery, recordsQuery, resultsQuery } from "../../rest/learning.ts";
import { proposalId, sapTaskId } from "../examples.ts";
import type { Operations } from "../operation.ts";
import {
  aggregatePage,
  decidedProposal,
  playbookList,
  proposalInFull,
  proposalPage,
  ratedResult,
  ratings,
  recordPage,
  resultPage,
} from "../schemas/learning.ts";

const ofTask = { taskId: { description: "The task, by the id in its envelope.", example: sapTaskId } };
const ofProposal = { proposalId: { description: "The proposal.", example: proposalId } };

export const learningOperations: Operations = {
  "POST /v1/sap/tasks/:taskId/rating": {
    id: "rateResult",
    tag: "SAP",
    summary: "Say of a result what it was worth",
    description:
      "A person's part: a key cannot. Of a result that is final: a score, an approval, a note, or more of these. Said again " +
      "it takes the place of what the same person said before. Secrets are masked, and the record keeps it.",
    access: { action: "sap.rate" },
    path: ofTask,
    body: { schema: rating, example: { score: 2, note: "Cite the chapter." } },
    answers: { 200: { description: "What is kept.", schema: ratedResult } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
  "GET /v1/sap/tasks/:taskId/ratings": {
    id: "listRatings",
    tag: "SAP",
    summary: "List what people say of a result, of each the last word",
    access: { action: "learning.read" },
    path: ofTask,
    answers: { 200: { description: "The newest first; at most 100.", schema: ratings } },
    refuses: ["NOT_FOUND"],
  },
  "GET /v1/learning/results": {
    id: "listLearningResults",
    tag: "Learning",
    summary: "List tasks with how their Results stand, and what people say of them, the newest first",
    access: { action: "learning.read" },
    query: resultsQuery,
    answers: { 200: { description: "A page.", schema: resultPage } },
  },
  "GET /v1/learning/aggregates": {
    id: "listAggregates",
    tag: "Learning",
    summary:
      "List what signals come to, by {capability, territory, fingerprint} or by what stands above, by name",
    access: { action: "learning.read" },
    query: aggregatesQuery,
    exampleQuery: { by: "capability" },
    answers: { 200: { description: "A page.", schema: aggregatePage } },
  },
  "GET /v1/learning/cache-records": {
    id: "listCacheRecords",
    tag: "Learning",
    summary: "List the records of the cache, the newest first",
    access: { action: "learning.read" },
    query: recordsQuery,
    answers: { 200: { description: "A page.", schema: recordPage } },
  },
  "GET /v1/learning/playbooks": {
    id: "listPlaybooks",
    tag: "Learning",
    summary: "List the playbooks of the policy in force",
    access: { action: "learning.read" },
    answers: { 200: { description: "What whoever works on a task is told.", schema: playbookList } },
    refuses: ["INVALID_STATE"],
  },
  "GET /v1/learning/proposals": {
    id: "listProposals",
    tag: "Learning",
    summary: "List what signals suggest to change in the policy, the newest first",
    access: { action: "learning.read" },
    query: proposalsQuery,
    exampleQuery: { open: "true" },
    answers: { 200: { description: "A page.", schema: proposalPage } },
  },
  "GET /v1/learning/proposals/:proposalId": {
    id: "getProposal",
    tag: "Learning",
    summary: "Read a proposal, and what accepting it now would change",
    access: { action: "learning.read" },
    path: ofProposal,
    answers: { 200: { description: "With both texts of the policy.", schema: proposalInFull } },
    refuses: ["NOT_FOUND"],
  },
  "POST /v1/learning/proposals/:proposalId/accept": {
    id: "acceptProposal",
    tag: "Learning",
    summary: "Accept a proposal: publish the policy with it",
    description:
      "A person's part: a key cannot. It takes effect in a version of its own, for later tasks; nothing on record changes.",
    access: { action: "learning.decide" },
    path: ofProposal,
    body: { schema: acceptance, example: { reason: "Two reviewers asked for it." } },
    answers: { 200: { description: "It is in force.", schema: decidedProposal } },
    refuses: ["NOT_FOUND", "INVALID_STATE", "VERSION_CONFLICT"],
    repeated: "key",
  },
  "POST /v1/learning/proposals/:proposalId/refuse": {
    id: "refuseProposal",
    tag: "Learning",
    summary: "Refuse a proposal",
    description: "A person's part: a key cannot. The same is not proposed again.",
    access: { action: "learning.decide" },
    path: ofProposal,
    body: { schema: refusal, example: { reason: "One reviewer's taste." } },
    answers: { 200: { description: "Nothing changes.", schema: decidedProposal } },
    refuses: ["NOT_FOUND", "INVALID_STATE"],
    repeated: "key",
  },
};
