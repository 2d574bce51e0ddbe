import { compare, parse, satisfies, validRange } from "semver";

/** The part of the process that a pack's contract is measured against. */
export type Orchestrator = {
  version: string;
  /** The range of capability schema versions that this orchestrator understands. */
  capabilitySchema: string;
};

export type Incompatibility = {
  field: "min_orchestrator_version" | "capability_schema_version";
  rule: string;
  message: string;
};

const notSemver = (field: Incompatibility["field"], value: string): Incompatibility => ({
  field,
  rule: "semver",
  message: `"${value}" is not a semantic version; write three numbers such as 1.4.0 (semver.org)`,
});

/** REG-4: an absent minimum asks for nothing; a given one is at most the orchestrator's version. */
export function checkOrchestratorVersion(minimum: string, version: string): Incompatibility | undefined {
  if (minimum === "") return undefined;
  if (parse(minimum) === null) return notSemver("min_orchestrator_version", minimum);
  if (compare(minimum, version) <= 0) return undefined;
  return {
    field: "min_orchestrator_version",
    rule: "compatible",
    message: `the pack needs orchestrator ${minimum} or newer, and this one is ${version}`,
  };
}

/** REG-5: an absent capability schema version asks for nothing; a given one lies in the range understood here. */
export function checkCapabilitySchema(version: string, range: string): Incompatibility | undefined {
  if (validRange(range) === null)
    throw new RangeError(`capability schema range "${range}" is not a semver range`);
  if (version === "") return undefined;
  if (parse(version) === null) return notSemver("capability_schema_version", version);
  if (satisfies(version, range, { includePrerelease: true })) return undefined;
  return {
    field: "capability_schema_version",
    rule: "compatible",
    message: `the pack speaks capability schema ${version}, and this orchestrator understands ${range}`,
  };
}
