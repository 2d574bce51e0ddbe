import type { GuardrailApplied } from "./guardrails.ts";

const guarded = {
  redact_message: { action: "answer.redacted", did: "withheld the message of the answer; its data stays" },
  fail: { action: "answer.failed", did: "failed the answer before anybody else is given it" },
} as const;

/** SACP-45 (SACP 9.1): what the record says of a rule that changed an answer. */
export const guardrailRecord = ({ name, effect }: GuardrailApplied) => ({
  action: guarded[effect].action,
  rationale: `Guardrail "${name}" ${guarded[effect].did}`,
});

const form = new RegExp(
  `^Guardrail "(?<name>.*)" (?:${Object.values(guarded)
    .map(({ did }) => did)
    .join("|")})$`,
  "s",
);

/** Which rule it was, of an entry as it was written here. */
export const guardrailNamed = (rationale: string): string | undefined =>
  form.exec(rationale)?.groups?.["name"];
