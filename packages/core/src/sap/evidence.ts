import { AuditEventType } from "@signalbox/contracts";
import type { Alignment, ConstitutionalEvidence, ResultStatus, Task } from "@signalbox/contracts/sap";
import type { PrincipleRule } from "../documents/sap-section.ts";
import { clip } from "../pipeline/context/bounded-text.ts";
import { isHandled, isNotTaken } from "../pipeline/edges.ts";
import type { AuditFact, StateChange } from "../pipeline/fact.ts";
import type { Judgement } from "../pipeline/judgement.ts";
import { allStages } from "../pipeline/ledger.ts";
import type { PipelineState } from "../pipeline/state.ts";
import { guardrailNamed } from "../sacp/guardrail-record.ts";
import { checksFor, principlesOf } from "./principle.ts";
import { asksPeople } from "./status.ts";

const MOST_VIOLATIONS = 100;
const LONGEST_NOTE = 1_000;
const brief = (text: string): string => clip(text, LONGEST_NOTE).text;

type Gate = Exclude<Judgement, { verdict: "clarify" }>["gate"];

/** What a gate found of one attempt, as it is on record. */
type GateRecord = {
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly byPerson: string | undefined;
  /** The question that it put to a person. */
  readonly escalationId: string | undefined;
  readonly checks: readonly { readonly name: string; readonly passed: boolean; readonly evidence: string }[];
};

/** The entries of a pipeline that its evidence is made of, and its metrics (SAP-38). */
export const EVIDENCE_EVENT_TYPES: readonly AuditEventType[] = [
  AuditEventType.DISPATCH_SENT,
  AuditEventType.RESULT_VALIDATED,
  AuditEventType.ESCALATION,
  AuditEventType.GATE_PASSED,
  AuditEventType.GATE_FAILED,
  AuditEventType.GATE_REJECTED,
];

const gateTypes: ReadonlySet<AuditEventType> = new Set([
  AuditEventType.GATE_PASSED,
  AuditEventType.GATE_FAILED,
  AuditEventType.GATE_REJECTED,
]);

/** An attempt is judged once: what a person said of it takes the place of the question. */
function gateRecords(facts: readonly AuditFact[]): GateRecord[] {
  const records = facts.flatMap((fact) => [...recordOf(fact), ...fact.changes.flatMap(askedRecord)]);
  return [...new Map(records.map((one) => [JSON.stringify([one.stageId, one.attemptNumber]), one])).values()];
}

function recordOf({ eventType, snapshot, stageId, attemptNumber, actor }: AuditFact): GateRecord[] {
  if (!gateTypes.has(eventType) || snapshot?.case !== "gate" || stageId === null) return [];
  const byPerson = actor.type === "human" ? actor.id : undefined;
  return [{ stageId, attemptNumber, checks: checksIn(snapshot.value), byPerson, escalationId: undefined }];
}

/** A gate that asks a person has made its checks, and has an entry of its own only once it was answered. */
function askedRecord(change: StateChange): GateRecord[] {
  if (change.kind !== "escalation-opened") return [];
  const { gate, stageId, attemptNumber, escalationId } = change.escalation;
  if (gate === null || stageId === null) return [];
  return [{ stageId, attemptNumber, checks: checksIn(gate), byPerson: undefined, escalationId }];
}

const checksIn = ({ checks = [] }: Gate): GateRecord["checks"] =>
  checks.map(({ gateName = "", passed = false, evidence = "" }) => ({ name: gateName, passed, evidence }));

/** What counts in the end: of each stage how it was judged last; of one that a later way passed by, nothing. */
const lastOfEach = (records: readonly GateRecord[], state: PipelineState): ReadonlySet<GateRecord> => {
  const passedBy = new Set(
    allStages(state).flatMap(({ plan, state: stage }) => (isNotTaken(stage) ? [plan.stageId] : [])),
  );
  const last = new Map(records.map((one) => [one.stageId, one])).values();
  return new Set([...last].filter(({ stageId }) => !passedBy.has(stageId)));
};

export type EvidenceFacts = {
  readonly context: Task["constitutionalContext"];
  readonly rules: readonly PrincipleRule[];
  /** Of the pipeline, in the order of the record. */
  readonly facts: readonly AuditFact[];
  readonly state: PipelineState;
  readonly status: ResultStatus;
  /** Where it can be looked up. */
  readonly proofs: readonly string[];
};

/** SAP-30 to SAP-33 (SAP V2.0 §4.2): what really happened, in the words of the constitution. */
export function constitutionalEvidence(given: EvidenceFacts): ConstitutionalEvidence {
  const { context, facts, state, status, proofs } = given;
  const records = gateRecords(facts);
  const last = lastOfEach(records, state);
  const open = state.escalations.map(({ escalationId }) => escalationId);
  const principles = principlesOf(context);
  const checksOf = new Map(
    principles.flatMap((principle) => {
      const checks = checksFor(principle, given.rules);
      return checks === undefined ? [] : [[principle, checks]];
    }),
  );
  const policyChecks = principles.map((principle) =>
    judgePrinciple(principle, checksOf.get(principle), [...last], open),
  );
  const violations = [
    ...gateViolations(records, last, checksOf),
    ...guardrailViolations(facts, records),
    ...handledFailures(state),
  ];
  return {
    alignment: alignmentOf(status, asksPeople(state), policyChecks, violations),
    ...(context.pressure === undefined ? {} : { pressureReadings: context.pressure }),
    policyChecks,
    ...(violations.length === 0 ? {} : { violations: violations.slice(0, MOST_VIOLATIONS) }),
    citations: [...new Set([...(context.references ?? []), ...proofs])],
  };
}

/** `checks`: those that testified, by name, so that a cache can tell what was proved (SAP-44). */
type PolicyCheck = { principle: string; status: string; notes: string; checks?: string[] };

/** SAP-30 */
function judgePrinciple(
  principle: string,
  checks: readonly string[] | undefined,
  last: readonly GateRecord[],
  open: readonly string[],
): PolicyCheck {
  if (checks === undefined) {
    const notes = brief(
      `the policy names no principle "${principle}": nothing that was checked testifies to it`,
    );
    return { principle, status: "NOT_JUDGED", notes };
  }
  const seen = last.flatMap((record) =>
    record.checks.flatMap((check) => (checks.includes(check.name) ? [{ record, check }] : [])),
  );
  if (seen.length === 0) {
    return { principle, status: "NOT_JUDGED", notes: brief(`${asking(open)}no gate has judged this work`) };
  }
  const testified = checks.filter((name) => seen.some(({ check }) => check.name === name));
  const failed = seen.filter(({ check }) => !check.passed);
  const standing = failed.filter(({ record }) => record.byPerson === undefined);
  const told = standing.length > 0 ? standing : failed.length > 0 ? failed : seen;
  const asked = open.filter((id) => seen.some(({ record }) => record.escalationId === id));
  const notes = brief(`${asking(asked)}${told.map(({ record, check }) => said(record, check)).join("; ")}`);
  if (standing.length > 0) return { principle, status: "FAIL", notes, checks: testified };
  if (failed.length === 0) return { principle, status: "PASS", notes, checks: testified };
  return {
    principle,
    status: "OVERRULED",
    checks: testified,
    notes: brief(`let pass by ${failed[0]?.record.byPerson}: ${notes}`),
  };
}

const asking = (open: readonly string[]): string =>
  open.length === 0 ? "" : `a person is asked (${open.join(", ")}): `;

const said = ({ stageId }: GateRecord, { name, evidence }: GateRecord["checks"][number]): string =>
  `${name} at stage "${stageId}": ${evidence}`;

type Violation = { principle?: string; severity: string; evidence: string };

/** SAP-31 */
function gateViolations(
  records: readonly GateRecord[],
  last: ReadonlySet<GateRecord>,
  checksOf: ReadonlyMap<string, readonly string[]>,
): Violation[] {
  return records.flatMap((record) => {
    return record.checks.flatMap((check): Violation[] => {
      if (check.passed) return [];
      const evidence = brief(`attempt ${record.attemptNumber}, ${said(record, check)}`);
      const severity = severityOf(record, check.name, last);
      const broken = [...checksOf].flatMap(([principle, names]) =>
        names.includes(check.name) ? [principle] : [],
      );
      if (broken.length === 0) return [{ severity, evidence }];
      return broken.map((principle) => ({ principle, severity, evidence }));
    });
  });
}

/** What a later attempt did not do better stands as that attempt does. */
function severityOf(
  { stageId }: GateRecord,
  name: string,
  last: ReadonlySet<GateRecord>,
): "low" | "medium" | "high" {
  const now = [...last].find((record) => record.stageId === stageId);
  const failing = now?.checks.some((check) => check.name === name && !check.passed) === true;
  if (!failing) return "low";
  return now?.byPerson === undefined ? "high" : "medium";
}

/** SAP-34: an answer that a guardrail failed stands until a later attempt was judged; a message that it withheld is mended by that. */
function guardrailViolations(facts: readonly AuditFact[], records: readonly GateRecord[]): Violation[] {
  return facts.flatMap(({ action, rationale, stageId, attemptNumber }): Violation[] => {
    if (action !== "answer.redacted" && action !== "answer.failed") return [];
    const judged = records.filter((record) => record.stageId === stageId);
    const passedBy = judged.some(
      (record) => record.attemptNumber === attemptNumber && record.byPerson !== undefined,
    );
    const mended =
      action === "answer.redacted" || judged.some((record) => record.attemptNumber > attemptNumber);
    const severity = passedBy ? "medium" : mended ? "low" : "high";
    const principle = guardrailNamed(rationale);
    const evidence = brief(`attempt ${attemptNumber}, stage "${stageId}": ${rationale}`);
    return [{ ...(principle === undefined ? {} : { principle }), severity, evidence }];
  });
}

/** SAP-36 (D10): the template let it pass, as a person might have; what the gate found against it stands beside. */
const handledFailures = (state: PipelineState): Violation[] =>
  allStages(state).flatMap(({ plan, state: stage }) =>
    isHandled(stage)
      ? [
          {
            severity: "medium",
            evidence: brief(
              `attempt ${stage.attemptNumber}, stage "${plan.stageId}" failed, and "${stage.edgesTaken?.join('", "')}" answered for it: ${stage.failure?.reason}`,
            ),
          },
        ]
      : [],
  );

/** SAP-32 */
function alignmentOf(
  status: ResultStatus,
  asked: boolean,
  policyChecks: readonly PolicyCheck[],
  violations: readonly Violation[],
): Alignment {
  if (asked || status === "ESCALATED") return "ESCALATE";
  const broken =
    policyChecks.some((check) => check.status === "FAIL") ||
    violations.some(({ severity }) => severity === "high");
  const over =
    status === "FAILED" || status === "CANCELLED" || status === "PARTIAL" || status === "SUCCEEDED";
  return over && broken ? "NON_CONSTITUTIONAL" : "VALID";
}
