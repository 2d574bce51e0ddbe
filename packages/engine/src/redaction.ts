import { parseJson, SignalboxError } from "@signalbox/contracts";
import {
  compileRedactor,
  DEFAULT_POLICY,
  type Mark,
  readPublishedDocument,
  redact,
  type RedactionPolicy,
  redactionPolicyOf,
  type Redactor,
  redactText,
} from "@signalbox/core";
import { findActiveDocument } from "@signalbox/db";
import { authorise } from "./authorise.ts";
import type { Asked, System } from "./system.ts";
import { transact } from "./transaction.ts";

export type RedactionInForce = {
  /** The routing policy whose section it is; undefined where none is published, or its text says nothing of redaction. */
  readonly policyVersion: string | undefined;
  readonly says: "policy" | "built-in";
  readonly policy: RedactionPolicy;
};

const builtIn = { says: "built-in", policy: DEFAULT_POLICY } as const;

/** What everything is masked by before it is written: the active routing policy's section, or what is built in. */
export async function readRedaction(system: System, { caller }: Asked): Promise<RedactionInForce> {
  authorise(caller, "policy.read", undefined);
  const active = await transact(system, caller.tenantId, (tx) => findActiveDocument(tx, "routing-policy"));
  if (active === undefined) return { ...builtIn, policyVersion: undefined };
  const { version: policyVersion, document } = active;
  const read = readPublishedDocument("routing-policy", document);
  if (read.kind !== "valid")
    throw new SignalboxError(
      "INVALID_STATE",
      `The routing policy ${policyVersion} was published under other rules and cannot be read any more. ` +
        "Publish a version that obeys the rules.",
    );
  const { redaction } = read.document;
  if (redaction === undefined) return { ...builtIn, policyVersion };
  return { policyVersion, says: "policy", policy: redactionPolicyOf(redaction) };
}

/** What a text may be taken for: the policy holds other rules for some fields than for a line of text. */
export const redactedKinds = ["text", "json", "evidence", "shared-context", "rationale"] as const;
type RedactedKind = (typeof redactedKinds)[number];

export type RedactedTrial = {
  readonly text: string;
  /** What was masked: by which rule, how often, and in JSON at which path. */
  readonly marks: readonly Mark[];
};

const LONGEST_TRIAL = 65_536;

/** What would be masked of a text. Nothing of it is kept, recorded or logged. */
export async function tryRedaction(
  system: System,
  asked: Asked,
  { text, kind }: { text: string; kind: RedactedKind },
): Promise<RedactedTrial> {
  const { policy } = await readRedaction(system, asked);
  if (text.length > LONGEST_TRIAL)
    throw new SignalboxError("VALIDATION_FAILED", "The text cannot be tried.", {
      violations: [{ field: "text", rule: "max_len", message: `at most ${LONGEST_TRIAL} characters` }],
    });
  return trials[kind](compileRedactor(policy), text);
}

const trials: { [K in RedactedKind]: (redactor: Redactor, text: string) => RedactedTrial } = {
  text: (redactor, text) => {
    const { text: masked, rules } = redactText(redactor, text);
    const byRule = Map.groupBy(rules, (rule) => rule);
    return {
      text: masked,
      marks: Array.from(byRule, ([rule, found]) => ({ path: "", rule, count: found.length })),
    };
  },
  json: (redactor, text) => {
    const { value, marks } = redact(redactor, readJson(text));
    return { text: JSON.stringify(value, null, 2), marks };
  },
  evidence: inField("evidence_item", "output"),
  "shared-context": inField("context_in", "shared_context"),
  rationale: inField("audit_entry", "rationale"),
};

function inField(root: string, field: string) {
  return (redactor: Redactor, text: string): RedactedTrial => {
    const { value, marks } = redact(redactor, { [field]: text }, { root });
    return { text: String(Reflect.get(Object(value), field)), marks };
  };
}

/** The reader's refusal, said of the field that holds the JSON: as it stands it would be one of the request. */
function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof SignalboxError)) throw error;
    throw new SignalboxError("VALIDATION_FAILED", "The text cannot be tried as JSON.", {
      violations: [
        { field: "text", rule: "json", message: `is no JSON that would be accepted: ${error.detail}` },
      ],
      cause: error,
    });
  }
}
