import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GateSnapshotSchema } from "@signalbox/contracts";
import type { AuditFact, Decider } from "../pipeline/fact.ts";

type Gate = MessageInitShape<typeof GateSnapshotSchema>;

/** `asked`: a person is or was asked, and has not let it through. */
export type GateStanding = "passed" | "passed-by-person" | "failed" | "rejected" | "asked";

export type RecordedGate = {
  readonly standing: GateStanding;
  readonly gate: Gate;
  readonly decidedBy: Decider;
  readonly recordedAt: string;
  readonly rationale: string;
};

/** A fact of one attempt, and when the database took it (D19). */
export type AttemptFact = { readonly fact: AuditFact; readonly recordedAt: string };

/** REC-11: what a gate said of an attempt is its last judgement on record; null where none came before it. */
export function gateOfAttempt(facts: readonly AttemptFact[]): RecordedGate | null {
  return facts.reduce<RecordedGate | null>((latest, one) => judgementIn(one) ?? latest, null);
}

function judgementIn({ fact, recordedAt }: AttemptFact): RecordedGate | null {
  const found = gateIn(fact);
  if (found === null) return null;
  const { actor: decidedBy, rationale } = fact;
  return { ...found, decidedBy, recordedAt, rationale };
}

function gateIn({ action, snapshot, changes }: AuditFact): Pick<RecordedGate, "standing" | "gate"> | null {
  // REC-12: it stands under the stage that is gone back to, and says what was found in a later one.
  if (action === "stage.rewound-by-person") return null;
  if (snapshot?.case === "gate") return { standing: standings[action] ?? "failed", gate: snapshot.value };
  for (const change of changes) {
    if (change.kind !== "escalation-opened" || change.escalation.gate === null) continue;
    return { standing: "asked", gate: change.escalation.gate };
  }
  return null;
}

const standings: Readonly<Partial<Record<AuditFact["action"], GateStanding>>> = {
  "gate.passed": "passed",
  "gate.passed-by-person": "passed-by-person",
  "gate.rejected": "rejected",
};
