/** What a task on file is known by. */
export type KeptIdentity = {
  /** SHA-256 of the canonical JSON, as it is kept: masked. */
  readonly digest: string;
  readonly masked: boolean;
  /** Keyed, of the canonical JSON as it was sent, where it was masked. */
  readonly sentFingerprint: string | null;
};

/** What has come under its id: known in each of these ways. */
export type SentIdentity = {
  /** By the rules of now, which may refuse it. */
  readonly maskedDigest: () => string;
  readonly sentDigest: string;
  readonly sentFingerprint: string;
};

/**
 * SAP-13: a task is what was sent. Two that are masked alike may name two secrets; and rules of redaction that have changed
 * since make no other task of what is sent again.
 */
export function isSameTask(kept: KeptIdentity, again: SentIdentity): boolean {
  if (!kept.masked) return kept.digest === again.sentDigest;
  // Of what was kept before there were fingerprints only the masked form is known.
  if (kept.sentFingerprint === null) return kept.digest === again.maskedDigest();
  return kept.sentFingerprint === again.sentFingerprint;
}
