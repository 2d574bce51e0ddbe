import { create, toJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { AuditEntrySchema, SignalboxError } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { DEFAULT_POLICY } from "./policy.ts";
import { compileRedactor, redact, redactRationale, redactText } from "./redactor.ts";
import { secretRules } from "./secret-rules.ts";
import { assemble, numbersFrom } from "./testing/example-text.ts";

const redactor = compileRedactor();
const made = (prefix: string, length: number, seed = 1): string =>
  assemble([prefix, { of: "alnum", length }], numbersFrom(seed)).text;
const github = made("ghp_", 36);

const thrownBy = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return "nothing was thrown";
};

const codeOf = (work: () => unknown): unknown => {
  const thrown = thrownBy(work);
  return thrown instanceof SignalboxError ? thrown.code : thrown;
};

describe("RED-7 fields named for a credential", () => {
  test.each([
    ["password"],
    ["dbPassword"],
    ["DB_PASSWORD"],
    ["api-key"],
    ["apikey"],
    ["x-api-key"],
    ["client_secret"],
    ["Authorization"],
    ["set-cookie"],
    ["connectionString"],
    ["privateKey"],
    ["credentials"],
    ["refresh_token"],
  ])("%s is masked, whatever its value", (key) => {
    expect(redact(redactor, { [key]: "x" }).value).toEqual({ [key]: expect.stringMatching(/^\[redacted:/) });
    expect(JSON.stringify(redact(redactor, { a: { [key]: { user: "u", inner: 17 } } }).value)).not.toContain(
      "17",
    );
  });

  test.each([
    [{ tokens: 512 }],
    [{ tokens: { input: 5, output: 6 } }],
    [{ token_count: 5, max_tokens: 4096 }],
    [{ secretary: "Dana" }],
    [{ touches_secrets: true }],
    [{ password: null, secret: "", token: false }],
    [{ idempotency_key: "0f3a9c55-77b3-4da6-a3ce-929d0e0e4736" }],
    [{ public_key: "Gc3Q0RXJM2CUNbgKpUMnkPtOfOzeFzsW" }],
    [{ secret_name: "billing", token_type: "Bearer" }],
  ])("%o stays as it is", (value) => {
    const { value: redacted, marks } = redact(redactor, value);
    expect(redacted).toBe(value);
    expect(marks).toEqual([]);
  });

  test("a plural masks texts and keeps counts; a key that names little masks what looks generated", () => {
    const { value } = redact(redactor, {
      tokens: ["a", 1],
      service_key: made("", 32),
      sort_key: made("", 32),
    });
    expect(value).toEqual({
      tokens: ["[redacted:credential-field]", 1],
      service_key: "[redacted:credential-field]",
      sort_key: made("", 32),
    });
  });
});

test("RED-8 a path of the policy holds at any depth, in lists, and in both spellings of a name", () => {
  const own = compileRedactor({ always_redact: ["trace/**/note", "task.*.hint"], conditional_redact: [] });
  const value = {
    trace: [{ a: { b: { note: "n", other: "o" } } }],
    task: { x: { hint: "h" }, hint: "kept" },
    note: "kept",
  };
  expect(redact(own, value).value).toEqual({
    trace: [{ a: { b: { note: "[redacted:policy-path]", other: "o" } } }],
    task: { x: { hint: "[redacted:policy-path]" }, hint: "kept" },
    note: "kept",
  });
});

test("RED-8 what the policy says of a field holds for every text in it, under whatever keys and in whatever lists", () => {
  const own = compileRedactor({
    always_redact: [],
    conditional_redact: [{ field: "response.data", rule: "personal_data", max_length: 64 }],
  });
  const mail = "jo@example.org";
  const { value, marks } = redact(own, {
    response: { message: mail, data: { note: mail, rows: [[{ [mail]: mail }], 7], long: "x".repeat(80) } },
  });
  expect(value).toEqual({
    response: {
      message: mail,
      data: {
        note: "[redacted:email]",
        rows: [[{ [mail]: "[redacted:email]" }], 7],
        long: expect.stringMatching(/^x+\[redacted:max-length\]$/),
      },
    },
  });
  expect(marks.map(({ rule }) => rule)).toEqual(["email", "email", "max-length"]);
});

test("RED-8 of auth_scopes the names stay and credentials go, wherever a SafetyContext stands", () => {
  const { value, marks } = redact(redactor, { safety: { authScopes: ["repo:read", github, "packs.write"] } });
  expect(value).toEqual({ safety: { authScopes: ["repo:read", "[redacted:policy-path]", "packs.write"] } });
  expect(marks).toEqual([{ path: "safety.authScopes[1]", rule: "policy-path", count: 1 }]);
});

test("RED-9 evidence loses the lines that hold a secret and keeps the others", () => {
  const output = `1 passed\nPASSWORD=hunter22 used\nurl ${github}\n2 passed`;
  const { value } = redact(redactor, { evidence: { items: { items: [{ output }] } } });
  expect(value).toEqual({
    evidence: {
      items: {
        items: [{ output: "1 passed\n[redacted:credential-assignment]\n[redacted:github-token]\n2 passed" }],
      },
    },
  });
});

test("RED-9 evidence over its length is cut inside the length, and says so", () => {
  const { value, marks } = redact(redactor, { items: [{ output: "x".repeat(70_000) }] });
  expect(JSON.stringify(value)).toMatch(/x\[redacted:max-length\]"/);
  expect(JSON.stringify(value).length).toBeLessThan(65_536 + 40);
  expect(marks).toEqual([{ path: "items[0].output", rule: "max-length", count: 1 }]);
  expect(redact(redactor, value).value).toBe(value);
});

test("RED-10 personal data is masked where the policy says, and nowhere else", () => {
  const text =
    "ask jo@example.org or +44 20 7946 0958 or (212) 555-0187, 078-05-1120; since 2026-01-02 10:11";
  const { value } = redact(redactor, { context_in: { shared_context: text, task_delta: text } });
  expect(value).toEqual({
    context_in: {
      shared_context:
        "ask [redacted:email] or [redacted:phone] or [redacted:phone], [redacted:ssn]; since 2026-01-02 10:11",
      task_delta: text,
    },
  });
});

test("RED-11 a rationale keeps its reasoning and loses the credential in it", () => {
  const entry = create(AuditEntrySchema, {
    rationale: `retry, since ${github} was refused: the token: must be rotated`,
  });
  const { value, marks } = redact(redactor, toJson(AuditEntrySchema, entry), { root: "audit_entry" });
  expect(value).toMatchObject({
    rationale: "retry, since [redacted:github-token] was refused: the token: must be rotated",
  });
  expect(marks).toEqual([{ path: "rationale", rule: "github-token", count: 1 }]);
});

test("RED-12 a key that is a secret is masked in the value and in the marks, and two of them stay two", () => {
  const other = made("ghp_", 36, 2);
  const { value, marks } = redact(redactor, { [github]: 1, [other]: { note: other } });
  expect(value).toEqual({
    "[redacted:github-token]": 1,
    "[redacted:github-token]#2": { note: "[redacted:github-token]" },
  });
  expect(JSON.stringify(marks)).not.toContain(github.slice(4, 16));
  expect(JSON.stringify(marks)).not.toContain(other.slice(4, 16));
});

describe("RED-13 what cannot be redacted wholly is refused", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  const deep = Array.from({ length: 200 }).reduce<unknown>((inner) => ({ inner }), "x");
  test.each([
    ["a cycle", cyclic],
    ["too many levels", deep],
    ["a map", { a: new Map() }],
    ["a date", { a: new Date(0) }],
    ["bytes", { a: new Uint8Array(2) }],
    ["a function", { a: () => 1 }],
    ["a bigint", { a: 1n }],
    [
      "a getter that throws",
      Object.defineProperty({}, "a", {
        enumerable: true,
        get: () => {
          throw new Error(github);
        },
      }),
    ],
  ])("%s", (_name, value) => {
    expect(codeOf(() => redact(redactor, value))).toBe("REDACTION_FAILED");
  });

  test("too many values, too many characters", () => {
    const tight = compileRedactor(DEFAULT_POLICY, { maxDepth: 10, maxValues: 10, maxCharacters: 100 });
    expect(
      codeOf(() =>
        redact(
          tight,
          Array.from({ length: 20 }, () => 1),
        ),
      ),
    ).toBe("REDACTION_FAILED");
    expect(codeOf(() => redact(tight, ["x".repeat(101)]))).toBe("REDACTION_FAILED");
    expect(codeOf(() => redactText(tight, "x".repeat(101)))).toBe("REDACTION_FAILED");
  });

  test("the error tells nothing of what was to be masked", () => {
    const thrown = thrownBy(() => redact(redactor, { a: new Map([[github, github]]) }));
    expect(JSON.stringify(thrown) + String(thrown)).not.toContain(github.slice(4, 16));
  });
});

test("RED-14 the input is never changed, and a part that holds no secret is shared", () => {
  const value = Object.freeze({ clean: Object.freeze({ a: [1, "two"] }), dirty: Object.freeze([github]) });
  const redacted = redact(redactor, value).value as typeof value;
  expect(redacted.clean).toBe(value.clean);
  expect(redacted.dirty).not.toBe(value.dirty);
  expect(value.dirty).toEqual([github]);
});

test("RED-14 a key named __proto__ stays a key", () => {
  const value: unknown = JSON.parse(`{"__proto__": {"note": "${github}"}}`);
  const redacted = redact(redactor, value).value;
  expect(JSON.stringify(redacted)).toBe('{"__proto__":{"note":"[redacted:github-token]"}}');
});

const secret = fc
  .tuple(fc.nat({ max: secretRules.length - 1 }), fc.nat(), fc.nat())
  .map(([rule, example, seed]) => {
    const masks = secretRules[rule]?.masks ?? [];
    return assemble(masks[example % masks.length] ?? [], numbersFrom(seed));
  });
const json = (leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    node: fc.oneof(
      { maxDepth: 5 },
      leaf,
      fc.array(tie("node"), { maxLength: 4 }),
      fc.dictionary(key, tie("node"), { maxKeys: 4 }),
    ),
  })).node;
const key = fc.oneof(
  fc.constantFrom(
    "output",
    "items",
    "rationale",
    "shared_context",
    "safety",
    "authScopes",
    "tokens",
    "note",
    "password",
  ),
  fc.string({ maxLength: 12 }),
);

test("RED-4 a secret anywhere in any JSON value, as text or as key, leaves no twelve characters of itself", () => {
  fc.assert(
    fc.property(
      fc.array(secret, { minLength: 1, maxLength: 4 }).chain((secrets) =>
        fc.record({
          secrets: fc.constant(secrets),
          value: json(
            fc.oneof(
              fc.string(),
              fc.double(),
              fc.boolean(),
              fc.constantFrom(...secrets.map(({ text }) => `see ${text} here`)),
            ),
          ),
          asKey: fc.constant({ [`of ${secrets[0]?.text}`]: 1 }),
        }),
      ),
      ({ secrets, value, asKey }) => {
        const { value: redacted, marks } = redact(redactor, [value, asKey]);
        const shown = JSON.stringify([redacted, marks]);
        const rests = secrets
          .flatMap(({ secrets: parts }) => parts)
          .flatMap((part) =>
            Array.from({ length: Math.max(0, part.length - 11) }, (_, start) =>
              part.slice(start, start + 12),
            ),
          );
        expect(rests.filter((rest) => shown.includes(rest))).toEqual([]);
        expect(redact(redactor, redacted)).toEqual({ value: redacted, marks: [] });
      },
    ),
    { numRuns: 500 },
  );
});

describe("RED-15 a policy is read wholly or refused with every fault", () => {
  test("the sentences of the specification are its rules", () => {
    const spoken = {
      ...DEFAULT_POLICY,
      conditional_redact: [
        {
          field: "evidence_item.output",
          rule: "strip lines matching secret/token/password patterns",
          max_length: 65_536,
        },
        { field: "context_in.shared_context", rule: "redact PII patterns (email, phone, SSN)" },
        { field: "audit_entry.rationale", rule: "strip inline credentials, keep decision reasoning" },
        { field: "snippet_ref.content", rule: "strip secrets from code snippets" },
      ],
    };
    const value = {
      items: [{ output: "PASSWORD=hunter22 used" }],
      context_in: { shared_context: "jo@example.org" },
    };
    expect(redact(compileRedactor(spoken), value)).toEqual(redact(redactor, value));
  });

  test("faults", () => {
    const faulty = {
      always_redact: ["**/*.", "a b"],
      conditional_redact: [
        { field: "x.y", rule: "make it nice" },
        { field: "x.y", rule: "secrets", max_length: 1 },
      ],
      patterns: [{ id: "Bad_1", pattern: "a" }],
    };
    const thrown = thrownBy(() => compileRedactor(faulty));
    expect(thrown).toMatchObject({ code: "VALIDATION_FAILED" });
    expect((thrown as SignalboxError).violations.map(({ field }) => field)).toEqual([
      "always_redact[0]",
      "always_redact[1]",
      "conditional_redact[0].rule",
      "conditional_redact[1].max_length",
      "patterns[0].id",
    ]);
  });
});

describe("RED-16 a tenant's own patterns", () => {
  const own = compileRedactor({
    ...DEFAULT_POLICY,
    patterns: [{ id: "staff-number", pattern: "EMP-\\d{4}" }],
  });

  test("mask whole words, line by line, and spare markers", () => {
    const { value, marks } = redact(own, { note: `by EMP-12345x\nand EMP-0001, ${github}` });
    expect(value).toEqual({
      note: "by [redacted:staff-number]\nand [redacted:staff-number], [redacted:github-token]",
    });
    expect(marks).toHaveLength(2);
    expect(redact(own, value).value).toBe(value);
  });

  test.each([
    ["(", "re2"],
    ["(?=a)", "re2"],
    ["a*", "re2"],
    ["", "re2"],
    ["a".repeat(300), "re2"],
  ])("%s is refused", (pattern, rule) => {
    const faulty = { ...DEFAULT_POLICY, patterns: [{ id: "own", pattern }] };
    expect(() => compileRedactor(faulty)).toThrow(
      expect.objectContaining({ violations: [expect.objectContaining({ rule })] }),
    );
  });

  test("a line that is too long for them is refused and not passed", () => {
    expect(codeOf(() => redact(own, { note: "x".repeat(70_000) }))).toBe("REDACTION_FAILED");
  });

  test("a second redaction changes nothing", () => {
    const odd = compileRedactor({
      ...DEFAULT_POLICY,
      patterns: [
        { id: "first", pattern: "\\ba" },
        { id: "second", pattern: "b.b|redacted|^c|d$" },
      ],
    });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b", "c", "d", " ", "-", "\n", "[redacted:jwt]"), { maxLength: 24 }),
        (parts) => {
          const once = redactText(odd, parts.join("")).text;
          expect(redactText(odd, once)).toEqual({ text: once, rules: [] });
        },
      ),
    );
  });
});

test("RED-11 what a person says is masked and cut as the policy says of a rationale, and of nothing else", () => {
  const strict = compileRedactor({
    always_redact: [],
    conditional_redact: [{ field: "audit_entry.rationale", rule: "personal_data", max_length: 64 }],
  });
  expect(redactRationale(strict, "ask jane.roe@example.org")).toBe("ask [redacted:email]");
  expect(redactRationale(strict, "why ".repeat(100)).length).toBeLessThanOrEqual(64);
  expect(redactRationale(strict, "")).toBe("");
  expect(redactRationale(compileRedactor(), "ask jane.roe@example.org")).toBe("ask jane.roe@example.org");
  const whole = compileRedactor({ always_redact: ["audit_entry.rationale"], conditional_redact: [] });
  expect(redactRationale(whole, "because")).toBe("[redacted:policy-path]");
});
