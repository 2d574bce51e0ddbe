import { SignalboxError } from "@signalbox/contracts";
import { redactionFailed } from "./failure.ts";
import { compilePaths, type PathMatcher } from "./path-matcher.ts";
import { DEFAULT_POLICY, readPolicy, type RedactionPolicy } from "./policy.ts";
import {
  type Mark,
  type RedactionLimits,
  redactNode,
  startWalk,
  DEFAULT_REDACTION_LIMITS,
} from "./redact-value.ts";
import { applyPatterns, compilePatterns, type TenantPattern } from "./tenant-patterns.ts";
import { redactSecrets, type RedactedText } from "./redact-text.ts";

/** A policy made ready: compiled once, applied to everything that is written. */
export type Redactor = {
  readonly paths: PathMatcher;
  readonly patterns: readonly TenantPattern[];
  readonly limits: RedactionLimits;
};

export type Redacted<T> = {
  /** As deep as the input and with the parts that hold no secret shared with it. */
  readonly value: T;
  readonly marks: readonly Mark[];
};

const NO_MARKS: readonly Mark[] = [];

export const compileRedactor = (
  policy: RedactionPolicy = DEFAULT_POLICY,
  limits: RedactionLimits = DEFAULT_REDACTION_LIMITS,
): Redactor => ({
  paths: compilePaths(readPolicy(policy)),
  patterns: compilePatterns(policy.patterns ?? []),
  limits,
});

/**
 * Masks a value in its JSON form, for writing. `root` names what the value is, as the policy's paths do
 * ("audit_entry", "task_envelope"). The result is a JSON value too, of the same shape but for what was masked.
 * Throws REDACTION_FAILED, and nothing else, when it cannot be done wholly.
 */
export const redact = (
  redactor: Redactor,
  value: unknown,
  context: { readonly root?: string } = {},
): Redacted<unknown> =>
  failingClosed(() => {
    const { paths } = redactor;
    const place = context.root === undefined ? paths.root : paths.named(context.root);
    const walk = startWalk(redactor);
    const redacted = redactNode(walk, value, place, 0);
    return { value: redacted, marks: walk.marks === undefined ? NO_MARKS : [...walk.marks.values()] };
  });

/**
 * RED-11: what a person says beside a decision becomes the rationale of an audit entry, and is masked, and cut, as the
 * policy says of that field.
 */
export function redactRationale(redactor: Redactor, text: string): string {
  const { value } = redact(redactor, { rationale: text }, { root: "audit_entry" });
  const rationale: unknown = Reflect.get(Object(value), "rationale");
  if (typeof rationale !== "string") throw redactionFailed("A rationale that was masked is no text");
  return rationale;
}

/** Masks one text that stands in no field, such as a line for the log. */
export const redactText = (redactor: Redactor, text: string): RedactedText =>
  failingClosed(() => {
    if (text.length > redactor.limits.maxCharacters)
      throw redactionFailed(
        `A text of ${text.length} characters is over the limit of ${redactor.limits.maxCharacters}`,
      );
    const secrets = redactSecrets(text);
    const own = applyPatterns(redactor.patterns, secrets.text);
    return { text: own.text, rules: [...secrets.rules, ...own.rules] };
  });

export function failingClosed<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof SignalboxError && error.code === "REDACTION_FAILED") throw error;
    throw redactionFailed("Redaction failed inside, so nothing was written", error);
  }
}
