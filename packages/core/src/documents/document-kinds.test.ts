import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideDispatch } from "../dispatch/decide-dispatch.ts";
import { compileSnapshot } from "../dispatch/snapshot.ts";
import { manifest, NOW, orchestrator, request } from "../dispatch/testing/registry.ts";
import { readDocument, readPublishedDocument } from "./document-kinds.ts";
import type { Fault, Parsed } from "./fault.ts";
import { noPolicy } from "./no-policy.ts";
import { redactionPolicyOf } from "./redaction-section-checks.ts";

const fixture = (file: string) => readFileSync(new URL(`fixtures/${file}`, import.meta.url), "utf8");
const policy = fixture("routing-policy.yaml");
const templates = fixture("pipeline-templates.yaml");
const packs = new Set([
  "senior-python-dev",
  "senior-ts-dev",
  "generalist-dev",
  "qa-engineer",
  "security-reviewer",
]);

const faultsOf = (read: Parsed<unknown>): Fault[] => (read.kind === "refused" ? read.faults : []);
const brief = (read: Parsed<unknown>) =>
  faultsOf(read).map(({ line, column, path, rule }) => `${line}:${column} ${path} ${rule}`);

/** The section of A2A 5.3, as it stands there. */
const redactionSection = `redaction_policy:
  always_redact:
    - "**/*.credentials"
    - "**/*.token"
    - "**/*.secret"
    - "**/*.password"
    - "**/*.api_key"
    - "safety_context.auth_scopes"
  conditional_redact:
    - field: "evidence_item.output"
      rule: "strip lines matching secret/token/password patterns"
      max_length: 65536
    - field: "context_in.shared_context"
      rule: "redact PII patterns (email, phone, SSN)"
`;

test("DOC-29 where nothing was published no task type has a route", () => {
  const snapshot = compileSnapshot(noPolicy, orchestrator, { packs: [manifest("p")], instances: [] });
  const decision = decideDispatch(snapshot, request(), NOW);
  expect(decision).toMatchObject({ kind: "escalate", reason: "no-route" });
});

describe("a document's text", () => {
  test("DOC-1 the specification's files read as documents, the policy with its packs known", () => {
    expect(readDocument("routing-policy", policy, { known: packs, version: "1.0.0" }).kind).toBe("valid");
    expect(readDocument("pipeline-templates", templates, { version: "1.0.0" }).kind).toBe("valid");
  });

  test("DOC-21 a draft stays the version it is: a text that says another is refused where it says it", () => {
    expect(brief(readDocument("routing-policy", policy, { version: "1.1.0" }))).toEqual([
      "3:12 routing_policy.version version",
    ]);
    expect(brief(readDocument("pipeline-templates", templates, { version: "2.0.0" }))).toEqual([
      "3:12 pipeline_templates.version version",
    ]);
  });

  test.each([
    ["U+0000", `${policy}# a\0b\n`, "36:4"],
    ["half a surrogate pair", `# \uD83D\n${policy}`, "1:3"],
    ["the other half", `# \uD83D\uDE82 \uDE82\n${policy}`, "1:6"],
  ])("DOC-25 a text that cannot be kept as written is refused: %s", (_, text, place) => {
    expect(brief(readDocument("routing-policy", text))).toEqual([`${place}  syntax`]);
  });

  test("DOC-25 any well-formed text without U+0000 is kept", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const rules = faultsOf(readDocument("routing-policy", text)).map(({ message }) => message);
        const unkeepable = text.includes("\0") || !text.isWellFormed();
        expect(rules.some((message) => message.includes("cannot be kept"))).toBe(unkeepable);
      }),
    );
  });

  test("DOC-26 secrets are refused by their lines, and nothing of them or of other faults is told", () => {
    const token = `ghp_${"a8Zk3Lq0".repeat(4)}wXyZ`;
    const text = policy
      .replace('"senior-ts-dev"', `"${token}"`)
      .replace("max_global_queue_depth: 50", "max_global_queue_depth: none")
      .concat(`# password: "k9$Vq2!mZp0x"\n`);
    const read = readDocument("routing-policy", text);
    expect(faultsOf(read).map(({ line, rule }) => [line, rule])).toEqual([
      [7, "secret"],
      [36, "secret"],
    ]);
    expect(faultsOf(read)[0]?.column).toBe((text.split("\n")[6]?.indexOf("ghp_") as number) + 1);
    expect(JSON.stringify(read)).not.toContain(token);
    expect(JSON.stringify(read)).not.toContain("k9$Vq");
  });

  test("DOC-26 a secret over several lines is told where it begins", () => {
    const key = [
      "-----BEGIN RSA PRIVATE KEY-----",
      ...Array.from({ length: 4 }, (_, index) => `MIIEpAIBAAKCAQEA${"x7Qk2".repeat(8)}${index}`),
      "-----END RSA PRIVATE KEY-----",
    ];
    const text = `${policy}# kept here:\n${key.map((line) => `# ${line}`).join("\n")}\n`;
    const lines = faultsOf(readDocument("routing-policy", text)).map(({ line }) => line);
    expect(lines[0]).toBe(37);
    expect(faultsOf(readDocument("routing-policy", text))[0]?.rule).toBe("secret");
  });

  test("DOC-27 a policy may bring the redaction of A2A 5.3, and the redactor takes it", () => {
    const read = readDocument("routing-policy", policy + redactionSection, { known: packs });
    expect(brief(read)).toEqual([]);
    if (read.kind !== "valid" || read.document.redaction === undefined) throw new Error("no section");
    expect(redactionPolicyOf(read.document.redaction)).toMatchObject({
      conditional_redact: [
        { field: "evidence_item.output", max_length: 65_536 },
        { field: "context_in.shared_context" },
      ],
    });
  });

  test("DOC-27 redaction that could not be carried out is refused by its lines", () => {
    const section = redactionSection
      .replace('"**/*.token"', '"**/**//"')
      .replace("max_length: 65536", "max_length: 3")
      .replace("redact PII patterns (email, phone, SSN)", "hide everything");
    expect(brief(readDocument("routing-policy", policy + section))).toEqual([
      "39:7 redaction_policy.always_redact[1] format",
      "47:19 redaction_policy.conditional_redact[0].max_length bound",
      "49:13 redaction_policy.conditional_redact[1].rule one_of",
    ]);
  });

  test("DOC-30 what was published is read though a draft of it would be refused for a secret", () => {
    const token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    const text = `# ${token}\n${policy}`;
    expect(readDocument("routing-policy", text).kind).toBe("refused");
    expect(readPublishedDocument("routing-policy", text).kind).toBe("valid");
  });
});
