import type { Violation } from "@signalbox/contracts";

/** A place in what was sent, with what it holds. */
export type Placed = readonly (readonly [field: string, text: string])[];

/** The places whose text masking changed. */
export function changedPlaces(sent: Placed, masked: Placed): string[] {
  return sent.flatMap(([field, said], index) => (said === masked[index]?.[1] ? [] : [field]));
}

/** Masked, it leads nowhere, and who works on the task would be the first to see it. */
const message =
  "holds a credential, which is masked before anything is kept, so that nobody could fetch it: " +
  "keep the bytes by POST /v1/attachments and name them signalbox:attachment/<id>, or give a URI without one";

/** D21: what leads somewhere is refused where masking changed it, and whoever sent it is told. */
export const maskedLinkFaults = (sent: Placed, masked: Placed): Violation[] =>
  changedPlaces(sent, masked).map((field) => ({ field, rule: "no_secret", message }));
