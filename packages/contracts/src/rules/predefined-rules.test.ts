import { create } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { findViolations, InterfaceContractSchema, ProtocolVersionSchema } from "../index.ts";

const VERSIONS = [
  "0.0.0",
  "1.4.0",
  "10.20.30",
  "1.0.0-rc.1",
  "1.0.0-0a",
  "1.0.0--",
  "1.0.0+007",
  "1.0.0-a.b+c.d",
];
const NOT_VERSIONS = [
  "1",
  "1.4",
  "v1.4.0",
  "01.4.0",
  "1.4.0-",
  "1.4.0-01",
  "1.4.0-a..b",
  "1.4.0+",
  "1.4.0\n",
  " 1.4.0",
];

function versionFaults(schemaVersion: string): string[] {
  const message = create(ProtocolVersionSchema, { schemaVersion });
  return findViolations(ProtocolVersionSchema, message).map(({ ruleId }) => ruleId);
}

function rangeFaults(range: string): string[] {
  const message = create(InterfaceContractSchema, { supportedSchemaVersions: [range] });
  return findViolations(InterfaceContractSchema, message).map(({ ruleId }) => ruleId);
}

describe("a semantic version", () => {
  test.each(VERSIONS)("%j is one", (version) => expect(versionFaults(version)).toEqual([]));
  test.each(NOT_VERSIONS)("%j is none", (text) => expect(versionFaults(text)).toEqual(["string.semver"]));
  test("left out is a matter of min_len alone", () => expect(versionFaults("")).toEqual(["string.min_len"]));
});

describe("a range of versions", () => {
  test.each(VERSIONS.flatMap((version) => [version, `^${version}`, `~${version}`]))("%j is one", (range) =>
    expect(rangeFaults(range)).toEqual([]),
  );
  test.each([...NOT_VERSIONS, "^1.4", ">=1.4.0", "1.4.0 || 2.0.0", "^^1.4.0", "*"])("%j is none", (text) =>
    expect(rangeFaults(text)).toEqual(["string.semver_range"]),
  );
});
