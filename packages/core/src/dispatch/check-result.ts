import type { AgentResult, Violation } from "@signalbox/contracts";
import { parse } from "semver";
import { quotedName, quotedReason } from "../quoted-text.ts";

/** The dispatch that a result must answer to count (D6). */
export type ExpectedResult = {
  readonly dispatchId: string;
  readonly attemptNumber: number;
  readonly traceId: string;
  readonly schemaVersion: string;
};

export type InvalidReason =
  | "schema"
  | "schema-version"
  | "trace"
  | "dispatch"
  | "dispatch-missing"
  | "attempt";

export type ResultFault = {
  readonly reason: InvalidReason;
  readonly message: string;
  /** Where one of the contract's own rules found it, and which: for whoever reported it. */
  readonly found?: Pick<Violation, "field" | "rule">;
};

export type ResultCheck =
  | { readonly kind: "valid" }
  /** Of a dispatch or attempt that is over: kept on record, and nobody's fault (D6). */
  | { readonly kind: "stale"; readonly message: string }
  /** The agent's fault: counts towards quarantine (D7). */
  | { readonly kind: "invalid"; readonly faults: readonly ResultFault[] };

/**
 * DSP-100 to DSP-105 (A2A 3.2, step 7). `addressedTo` is the dispatch that the transport named, as a path or a
 * request field does; `violations` is what the contract's own rules found.
 */
export function checkResult(
  result: AgentResult,
  expected: ExpectedResult,
  addressedTo: string | undefined,
  violations: readonly Violation[],
): ResultCheck {
  const stale = staleness(result, expected, addressedTo);
  if (stale !== undefined) return { kind: "stale", message: stale };
  const faults = [
    ...violations.map(({ field, rule, message }) => ({
      ...fault("schema", `${field === "" ? "the result" : field}: ${message}`),
      found: { field: quotedName(field), rule },
    })),
    ...versionFaults(result, expected),
    ...traceFaults(result, expected),
    ...dispatchFaults(result, expected, addressedTo),
    ...attemptFaults(result, expected),
  ];
  return faults.length === 0 ? { kind: "valid" } : { kind: "invalid", faults };
}

const fault = (reason: InvalidReason, message: string): ResultFault => ({
  reason,
  message: quotedReason(message),
});

function staleness(
  { dispatchId, attemptNumber }: AgentResult,
  expected: ExpectedResult,
  addressedTo: string | undefined,
): string | undefined {
  const answered = addressedTo ?? dispatchId;
  if (answered !== "" && answered !== expected.dispatchId) {
    return `dispatch ${quotedName(answered)} is over; the stage's current dispatch is ${expected.dispatchId}`;
  }
  if (attemptNumber > 0 && attemptNumber < expected.attemptNumber) {
    return `attempt ${attemptNumber} is over; the current one is ${expected.attemptNumber}`;
  }
  return undefined;
}

/** A version with the same major number; with the same minor one too, while the major is 0 (semver 2.0.0, §4). */
function versionFaults({ protocolVersion }: AgentResult, { schemaVersion }: ExpectedResult): ResultFault[] {
  const received = parse(protocolVersion?.schemaVersion);
  const spoken = protocolVersion?.schemaVersion === schemaVersion ? received : parse(schemaVersion);
  if (received !== null && spoken !== null) {
    if (received.major === spoken.major && (spoken.major > 0 || received.minor === spoken.minor)) return [];
  }
  const said = quotedName(protocolVersion?.schemaVersion ?? "");
  return [
    fault(
      "schema-version",
      `the result speaks schema version "${said}", which does not go with ${schemaVersion}`,
    ),
  ];
}

function traceFaults({ trace }: AgentResult, { traceId }: ExpectedResult): ResultFault[] {
  if (trace?.traceId === traceId) return [];
  return [
    fault(
      "trace",
      `the result names trace "${quotedName(trace?.traceId ?? "")}", and the envelope named ${traceId}`,
    ),
  ];
}

function dispatchFaults(
  { dispatchId }: AgentResult,
  expected: ExpectedResult,
  addressedTo: string | undefined,
): ResultFault[] {
  if (dispatchId === expected.dispatchId) return [];
  if (dispatchId !== "") {
    return [
      fault(
        "dispatch",
        `the result names dispatch ${quotedName(dispatchId)}, but was reported for ${expected.dispatchId}`,
      ),
    ];
  }
  if (addressedTo !== undefined) return [];
  return [fault("dispatch-missing", "neither the result nor the way it came names the dispatch it answers")];
}

function attemptFaults({ attemptNumber }: AgentResult, expected: ExpectedResult): ResultFault[] {
  if (attemptNumber === 0 || attemptNumber === expected.attemptNumber) return [];
  const message = `the result names attempt ${attemptNumber}, and the envelope named ${expected.attemptNumber}`;
  return [fault("attempt", message)];
}
