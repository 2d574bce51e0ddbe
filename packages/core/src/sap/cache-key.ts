import type { Task } from "@signalbox/contracts/sap";
import type { CapabilityRule } from "../documents/sap-section.ts";
import { canonicalJson } from "./canonical-json.ts";
import { essenceOf } from "./essence.ts";

export const SAP_VERSION = "2.0";

export type CacheTexts = {
  /** What the cache key is the SHA-256 of. */
  readonly key: string;
  /** What the fingerprint is the SHA-256 of. */
  readonly essence: string;
};

/**
 * SAP-40 (SAP V2.0 §6): the parts that the specification lists, in one text; principles are a set. Attachments are payload that
 * stands elsewhere (§4.1): without them who sends one document is answered about another's.
 */
export function cacheTexts(task: Task, rule: Pick<CapabilityRule, "essence">): CacheTexts {
  const { territory, principles = [] } = task.constitutionalContext;
  const { attachments = [] } = task;
  const essence = essenceOf(task.payload, rule.essence);
  const attaches = attachments.length > 0;
  const key = {
    capability: task.target.capability,
    essence,
    ...(attaches ? { attachments } : {}),
    territory: territory ?? null,
    principles: [...new Set(principles)].toSorted(),
    outputContract: contractOf(task),
    sapVersion: SAP_VERSION,
  };
  return { key: canonicalJson(key), essence: canonicalJson(attaches ? [essence, attachments] : essence) };
}

/** What is meant where nothing is said is the same as what is said: two contracts that ask alike have one key. */
const contractOf = ({ outputContract }: Task) =>
  outputContract === undefined ? null : { ...outputContract, format: outputContract.format ?? "json" };
