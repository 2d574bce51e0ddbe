import { markerOf } from "./marker.ts";
import type { RedactedText } from "./redact-text.ts";

type PersonalDataRule = {
  readonly id: string;
  readonly description: string;
  /** Every repetition is bounded, so that a try at one place costs at most a constant. */
  readonly pattern: RegExp;
};

/** Applied only to the fields for which the policy asks: an address is often the very thing a record is about. */
export const personalDataRules: readonly PersonalDataRule[] = [
  {
    id: "email",
    description: "E-mail address",
    pattern: /[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}/g,
  },
  {
    id: "ssn",
    description: "Social security number of the United States, with its separators",
    pattern: /(?<![\d-])(?!000|666|9\d\d)\d{3}([- ])(?!00)\d{2}\1(?!0000)\d{4}(?![\d-])/g,
  },
  {
    id: "phone",
    description: "Telephone number: international with a plus sign, or of North America with separators",
    pattern:
      /(?<![\d+])(?:\+\d[\d ().-]{6,18}\d|(?:1[-. ])?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]\d{4})(?![\d-])/g,
  },
];

export function redactPersonalData(text: string): RedactedText {
  const rules: string[] = [];
  let masked = text;
  for (const { id, pattern } of personalDataRules)
    masked = masked.replace(pattern, () => {
      rules.push(id);
      return markerOf(id);
    });
  return { text: masked, rules };
}
