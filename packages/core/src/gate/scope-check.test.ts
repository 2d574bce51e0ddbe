import { ArtifactAction } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNamed, readArtifactPath } from "./artifact-path.ts";
import { evidenceText } from "./finding-text.ts";
import type { Check } from "./finding.ts";
import { checkScope } from "./scope-check.ts";
import { aContract, aGate, aResult } from "./testing/gate-input.ts";

const reasons = ({ findings }: Check) => findings.map(({ reason }) => reason);
const artifacts = (...list: readonly (readonly [string, ArtifactAction])[]) =>
  aResult({ artifacts: list.map(([path, action]) => ({ path, action })) });
const { CREATED, MODIFIED, DELETED, UNSPECIFIED } = ArtifactAction;

describe("GATE-7 artifacts are among the expected files", () => {
  const contract = aContract({
    expectedFiles: { create: ["src/new.ts"], modify: ["src/old.ts", "docs/"], delete: ["src/gone.ts"] },
    tests: { testsToAdd: ["src/new.test.ts"] },
  });
  test.each([
    ["src/new.ts", CREATED, true],
    ["src/new.test.ts", CREATED, true],
    ["src/new.ts", MODIFIED, true],
    ["docs/a/b.md", MODIFIED, true],
    ["docs/a.md", CREATED, false],
    ["src/old.ts", CREATED, false],
    ["src/old.ts", DELETED, false],
    ["src/gone.ts", DELETED, true],
    ["src/gone.ts", UNSPECIFIED, true],
    ["src/other.ts", UNSPECIFIED, false],
    ["src/New.ts", CREATED, false],
  ])("%s with action %i: %s", (path, action, expected) => {
    expect(checkScope(aGate({ contract, result: artifacts([path, action]) })).passed).toBe(expected);
  });

  test("none expected restricts nothing but leaving the repository, and is said", () => {
    const open = checkScope(aGate({ result: artifacts(["anything", CREATED]) }));
    expect(open.passed).toBe(true);
    expect(evidenceText(open)).toContain("the contract names no expected files");
    expect(reasons(checkScope(aGate({ result: artifacts(["../x", CREATED]) })))).toEqual(["path-refused"]);
  });
});

describe("GATE-8 a path stays within the repository", () => {
  test.each([
    ["./src//a.ts", { path: "src/a.ts" }],
    ["src/x/../a.ts", { path: "src/a.ts" }],
    ["src/a/", { path: "src/a" }],
    ["", { fault: "empty" }],
    ["./.", { fault: "empty" }],
    ["/etc/passwd", { fault: "absolute" }],
    ["C:/x", { fault: "absolute" }],
    ["~/x", { fault: "absolute" }],
    ["file:///x", { fault: "absolute" }],
    ["../x", { fault: "outside" }],
    ["a/../../x", { fault: "outside" }],
    ["a\\..\\x", { fault: "characters" }],
    ["a\u0000b", { fault: "characters" }],
    ["a".repeat(5000), { fault: "too-long" }],
  ])("%j", (path, expected) => {
    expect(readArtifactPath(path)).toEqual(expected);
  });

  test("whatever is given: what is read has no way out and reads the same again", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "..", ".", "/", "//", "b.ts", "\\", "~"), { maxLength: 12 }),
        (parts) => {
          const read = readArtifactPath(parts.join(""));
          const path = "path" in read ? read.path : "a";
          expect(path.split("/")).not.toContain("..");
          expect(path.startsWith("/")).toBe(false);
          expect(readArtifactPath(path)).toEqual({ path });
        },
      ),
    );
  });
});

describe("GATE-9 files by name, folder and glob", () => {
  test.each([
    ["src/a.ts", "./src/a.ts", true],
    ["src/a.ts", "src/", true],
    ["src/x/y/a.ts", "src/", true],
    ["src", "src/", true],
    ["srca/a.ts", "src/", false],
    ["src/a.ts", "src", false],
    ["src/a.ts", "src/*.ts", true],
    ["src/x/a.ts", "src/*.ts", false],
    ["src/x/y/a.ts", "src/**/*.ts", true],
    ["src/a.ts", "src/**/*.ts", true],
    ["a.test.ts", "**/*.test.ts", true],
    ["a/b", "**", true],
    ["src/a1.ts", "src/a?.ts", true],
    ["src/a.ts", "src/a?.ts", false],
    ["src/[x].ts", "src/[x].ts", true],
    ["src/a.ts", "../src/a.ts", false],
  ])("%s by %s: %s", (path, pattern, expected) => {
    expect(isNamed(path, pattern)).toBe(expected);
  });

  test("a glob with many stars is still answered", () => {
    expect(isNamed(`${"a/".repeat(200)}b`, `${"**/".repeat(60)}c`)).toBe(false);
    expect(isNamed("a".repeat(2000), `${"*a".repeat(100)}b`)).toBe(false);
  });
});

describe("GATE-10 patch size", () => {
  const two = artifacts(["a", CREATED], ["b", CREATED]);
  test("lines where they were reported", () => {
    expect(checkScope(aGate({ patchSizeLimit: 10, work: { linesChanged: 10 } })).passed).toBe(true);
    expect(reasons(checkScope(aGate({ patchSizeLimit: 10, work: { linesChanged: 11 } })))).toEqual([
      "patch-too-large",
    ]);
    expect(checkScope(aGate({ patchSizeLimit: 0, work: { linesChanged: 1e9 } })).passed).toBe(true);
  });
  test("never fewer lines than files, whatever was reported", () => {
    const check = checkScope(aGate({ patchSizeLimit: 1, work: { linesChanged: 1 }, result: two }));
    expect(evidenceText(check)).toContain("2 files changed, each by a line at least");
    const twice = artifacts(["a", CREATED], ["./a", MODIFIED]);
    expect(checkScope(aGate({ patchSizeLimit: 1, work: { linesChanged: 1 }, result: twice })).passed).toBe(
      true,
    );
  });
  test("else files, and it says that lines were not reported", () => {
    expect(reasons(checkScope(aGate({ patchSizeLimit: 1, result: two })))).toEqual(["patch-too-large"]);
    const passedCheck = checkScope(aGate({ patchSizeLimit: 2, result: two }));
    expect(passedCheck.passed).toBe(true);
    expect(evidenceText(passedCheck)).toContain("patch size (limit 2 lines): not reported, so not checked");
  });
});

describe("GATE-11 an undeclared breaking change", () => {
  const declared = aContract({ io: { breakingChange: true } });
  test.each([
    [
      "the marker in a risk",
      aResult({ contextOut: { risksIdentified: ["x\nBREAKING CHANGE: take() is gone"] } }),
    ],
    [
      "the marker in a decision",
      aResult({ contextOut: { decisionsMade: [{ description: "BREAKING-CHANGE: renamed" }] } }),
    ],
    ["the answer's flag", aResult({ response: { status: "success", data: { breaking_change: true } } })],
  ])("%s", (_name, result) => {
    expect(reasons(checkScope(aGate({ result })))).toEqual(["breaking-change"]);
    expect(checkScope(aGate({ result, contract: declared })).passed).toBe(true);
  });

  test.each([
    ["src/api.ts", "src/api.ts"],
    ["./src/api.ts", "src/api.ts"],
    ["src//api.ts", "src/api.ts"],
    ["src/api.ts", "./src/api.ts"],
  ])("GATE-8 a deleted interface in any spelling: %s where the contract names %s", (path, named) => {
    const contract = aContract({ io: { expectedInterfaces: [named] } });
    expect(reasons(checkScope(aGate({ contract, result: artifacts([path, DELETED]) })))).toEqual([
      "breaking-change",
    ]);
  });

  test("talk of none is none", () => {
    expect(
      checkScope(aGate({ result: aResult({ contextOut: { risksIdentified: ["no breaking change"] } }) }))
        .passed,
    ).toBe(true);
  });
});
