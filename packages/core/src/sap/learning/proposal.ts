/** SAP-54: what a proposal would change in the policy's `sap_policy`. */
export type PolicyChange =
  | {
      readonly kind: "playbook";
      readonly capability: string;
      readonly territory: string | null;
      readonly text: string;
    }
  | { readonly kind: "threshold"; readonly principle: string; readonly escalateAbove: number }
  | {
      readonly kind: "essence";
      readonly capability: string;
      readonly exclude: readonly string[];
      readonly foldText: boolean;
    };

export const proposalKinds = ["playbook", "threshold", "essence"] as const satisfies PolicyChange["kind"][];

export type Proposal = {
  readonly change: PolicyChange;
  /** In words, for whoever decides. */
  readonly why: string;
  /** What it rests on: results, or counts. */
  readonly evidence: readonly string[];
};

/** What a proposal is about: of two about the same the newer takes the place of the older one. */
export function subjectOf(change: PolicyChange): string {
  switch (change.kind) {
    case "playbook":
      return JSON.stringify([change.kind, change.capability, change.territory]);
    case "threshold":
      return JSON.stringify([change.kind, change.principle]);
    case "essence":
    default:
      return JSON.stringify([change.kind, change.capability]);
  }
}

/** How the last proposal about the same subject stands. */
export type EarlierProposal = {
  readonly digest: string;
  readonly state: "open" | "accepted" | "refused" | "superseded";
};

/** SAP-58: whether what the signals suggest is put to people: not what they see already, and not what they refused. */
export function judgeProposal(
  digest: string,
  earlier: EarlierProposal | undefined,
): "propose" | "supersede" | "nothing" {
  if (earlier === undefined) return "propose";
  if (earlier.state === "open") return earlier.digest === digest ? "nothing" : "supersede";
  return earlier.state === "refused" && earlier.digest === digest ? "nothing" : "propose";
}
