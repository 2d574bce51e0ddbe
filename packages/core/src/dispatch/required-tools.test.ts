import { create } from "@bufbuild/protobuf";
import { ContractSchema } from "@signalbox/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { programsOf, requiredTools } from "./required-tools.ts";

describe("DSP-21 (D3): the program that a command names", () => {
  test.each([
    ["npm test", ["npm"]],
    ["CI=1 NODE_OPTIONS='--max-old-space-size=4096' npm test", ["npm"]],
    ["/usr/local/bin/pytest -q", ["pytest"]],
    ["./gradlew build", ["gradlew"]],
    ["'/opt/my tools/lint all' .", ["lint all"]],
    ['"np"m test', ["npm"]],
    ["my\\ tool x", ["my tool"]],
    ["env npm test", ["npm"]],
    ["env -i -u HOME PATH=/bin FOO='a b' npm test", ["npm"]],
    ["/usr/bin/env python3 -m pytest", ["python3"]],
    ["env", []],
    ["npm ci && npm test", ["npm", "npm"]],
    ["ruff check .; mypy src | tee log || true", ["ruff", "mypy", "tee"]],
    ["npm test &", ["npm"]],
    ["npm test 2>&1 | grep -v warn > out.txt", ["npm", "grep"]],
    ["npm test &> out.txt", ["npm"]],
    ["2>/dev/null npm test", ["npm"]],
    ["cat <input.txt", ["cat"]],
    ["pytest>report.txt", ["pytest"]],
    ["curl>out https://example.org/x", ["curl"]],
    ["sort<in>out", ["sort"]],
    ["'make'>log 2>>errors all", ["make"]],
    ["cd web && (cd app; pnpm lint)", ["pnpm"]],
    ["if [ -f x ]; then make; else cargo build; fi", ["make", "cargo"]],
    ["for f in a b; do shellcheck $f; done", ["shellcheck"]],
    ["! grep -q TODO src", ["grep"]],
    ["exec node server.js", ["node"]],
    ["$(npm bin)/jest --ci", ["jest"]],
    ["echo 'a && b; c' # && d", []],
    ["tsc -p . # && eslint", ["tsc"]],
    ["npm run 'a;b' \"c|d\" `e;f`", ["npm"]],
    ["go test ./...\ngo vet ./...", ["go", "go"]],
    ["X=1", []],
    ["", []],
    ["   ", []],
    ["'unterminated", ["unterminated"]],
    ["sudo apt-get install x", ["sudo"]],
  ])("%j", (line, programs) => {
    expect(programsOf(line)).toEqual(programs);
  });

  test("any text is read to its end, and no program has a path or is empty", () => {
    const piece = fc.constantFrom(
      "a",
      "/",
      " ",
      "'",
      '"',
      "`",
      "$(",
      ")",
      "(",
      ";",
      "&&",
      "|",
      "\\",
      "=",
      "#",
      "\n",
      ">",
      "&",
      "env",
      "{",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        for (const program of programsOf(pieces.join(""))) {
          expect(program).not.toBe("");
          expect(program).not.toContain("/");
        }
      }),
    );
  });
});

test("DSP-20 (D3): required tools are those of the environment, the tests to run and the dependencies, each once", () => {
  const contract = create(ContractSchema, {
    environment: {
      lintCommand: "ruff check .",
      typecheckCommand: "mypy src",
      testCommand: "CI=1 pytest",
      buildCommand: "",
    },
    tests: { testsToRun: ["pytest tests/unit", "./scripts/smoke.sh"], testsToAdd: ["a test of the cache"] },
    io: { dependencies: [" docker ", "pytest", ""] },
  });
  expect(requiredTools(contract)).toEqual(["docker", "mypy", "pytest", "ruff", "smoke.sh"]);
});

test("DSP-20 (D3): a contract without commands requires nothing", () => {
  expect(requiredTools(create(ContractSchema))).toEqual([]);
});
