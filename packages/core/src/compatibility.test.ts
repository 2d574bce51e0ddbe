import * as fc from "fast-check";
import { compare } from "semver";
import { describe, expect, test } from "vitest";
import { checkCapabilitySchema, checkOrchestratorVersion } from "./compatibility.ts";

const version = fc
  .tuple(fc.nat(20), fc.nat(20), fc.nat(20), fc.constantFrom("", "-alpha.1", "-rc.2"))
  .map(([major, minor, patch, pre]) => `${major}.${minor}.${patch}${pre}`);

describe("compatibility", () => {
  test("REG-4 a minimum is met exactly when it is at most the orchestrator's version", () => {
    fc.assert(
      fc.property(version, version, (minimum, own) => {
        const refused = checkOrchestratorVersion(minimum, own);
        expect(refused === undefined).toBe(compare(minimum, own) <= 0);
      }),
    );
  });

  test("REG-4 no minimum is met by every version", () => {
    fc.assert(
      fc.property(version, (own) => {
        expect(checkOrchestratorVersion("", own)).toBeUndefined();
      }),
    );
  });

  test("REG-4 a pre-release comes before its release", () => {
    expect(checkOrchestratorVersion("1.0.0", "1.0.0-rc.1")).toMatchObject({ rule: "compatible" });
    expect(checkOrchestratorVersion("1.0.0-rc.1", "1.0.0")).toBeUndefined();
  });

  test.each([
    ["", true],
    ["1.0.0", true],
    ["1.99.3", true],
    ["0.9.0", false],
    ["2.0.0", false],
  ])("REG-5 capability schema %j in the range ^1.0.0: %s", (given, fits) => {
    expect(checkCapabilitySchema(given, "^1.0.0") === undefined).toBe(fits);
  });

  test("REG-6 what is no semantic version is refused as that, by its own name", () => {
    fc.assert(
      fc.property(fc.constantFrom("one", "1", "1.2", "v", "1.2.3.4", " "), (text) => {
        expect(checkOrchestratorVersion(text, "1.0.0")).toMatchObject({
          field: "min_orchestrator_version",
          rule: "semver",
        });
        expect(checkCapabilitySchema(text, "^1.0.0")).toMatchObject({
          field: "capability_schema_version",
          rule: "semver",
        });
      }),
    );
  });

  test("a range of our own that is none is a fault of ours, not the pack's", () => {
    expect(() => checkCapabilitySchema("1.0.0", "one to two")).toThrow(RangeError);
  });
});
