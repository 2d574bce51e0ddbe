import { ERROR_CODES, type SignalboxError } from "@signalbox/contracts";
import type { SapErrorCode } from "@signalbox/contracts/sap";

export type SapError = {
  readonly code: SapErrorCode;
  readonly message: string;
  readonly details: { readonly violations: SignalboxError["violations"] };
};

/** SAP-9 (SAP V2.0 §8): a refusal in the words of the specification. */
export const sapErrorOf = ({ code, detail, violations }: SignalboxError): SapError => ({
  code: ERROR_CODES[code].sapCode,
  message: detail,
  details: { violations },
});
