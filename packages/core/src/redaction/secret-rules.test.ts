import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRuleId } from "./marker.ts";
import { builtInRules, redactSecrets } from "./redact-text.ts";
import { compileRedactor, redact } from "./redactor.ts";
import { redactionRules } from "./rule-catalogue.ts";
import { secretRules } from "./secret-rules.ts";
import { assemble, numbersFrom } from "./testing/example-text.ts";

const LONGEST_REST = 12;

/** What can still be read of a secret; the empty string where it is too little to matter. */
function restOf(text: string, secret: string): string {
  for (let start = 0; start + LONGEST_REST <= secret.length; start++) {
    const rest = secret.slice(start, start + LONGEST_REST);
    if (text.includes(rest)) return rest;
  }
  return "";
}

describe.each(secretRules)("RED-1 rule $id", (rule) => {
  test.each(rule.masks.map((example, index) => ({ example, index })))(
    "masks its example $index",
    ({ example, index }) => {
      for (let seed = 0; seed < 50; seed++) {
        const { text, secrets } = assemble(example, numbersFrom(seed * 100 + index));
        const redacted = redactSecrets(text);
        expect(redacted.rules).toContain(rule.id);
        expect(redacted.text).toContain(`[redacted:${rule.id}]`);
        for (const secret of secrets) expect(restOf(redacted.text, secret)).toBe("");
      }
    },
  );

  test("RED-2 leaves alone what only resembles a secret", () => {
    for (const example of rule.keeps) {
      const { text } = assemble(example, numbersFrom(7));
      expect(redactSecrets(text)).toEqual({ text, rules: [] });
    }
  });
});

test("RED-3 every rule has an id of its own, a description, anchors, and examples both ways", () => {
  expect(new Set(secretRules.map(({ id }) => id)).size).toBe(secretRules.length);
  for (const { id, description, anchors, masks, keeps } of secretRules) {
    expect(isRuleId(id)).toBe(true);
    expect(description).not.toBe("");
    expect(anchors.length).toBeGreaterThan(0);
    expect(masks.length).toBeGreaterThan(0);
    expect(keeps.length).toBeGreaterThan(0);
  }
});

test("RED-3 where rules match the same place the marker names the more telling one", () => {
  const { text } = assemble(["token=", "ghp_", { of: "alnum", length: 36 }], numbersFrom(1));
  expect(redactSecrets(text).text).toBe("token=[redacted:github-token]");
});

const anyExample = fc
  .tuple(fc.integer({ min: 0, max: secretRules.length - 1 }), fc.nat(), fc.nat())
  .map(([rule, example, seed]) => {
    const { masks } = secretRules[rule] ?? { masks: [] };
    return assemble(masks[example % masks.length] ?? [], numbersFrom(seed));
  });

const surroundings = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom(
    "password=",
    "token: '",
    '{"key":"',
    "https://a:",
    "-----BEGIN ",
    "[redacted:",
    "Bearer ",
    "\\",
    "=",
    "eyJ",
  ),
);

const glue = fc.constantFrom(" ", "\n", "/", ":", "@", ",", '"', "'", "&", ";", "=", "://");

test("RED-4 a secret behind the place where another rule waits for its own is masked too", () => {
  const { text } = assemble(
    ["https://x.ghp_", { of: "alnum", length: 36 }, ":word@example.org"],
    numbersFrom(3),
  );
  expect(redactSecrets(text).text).toBe(
    "https://x.[redacted:github-token]:[redacted:url-password]@example.org",
  );
});

test.each([
  ['export PEPPER="', "/abc/kHBFKsrF0b3+GcWCwq7Zt/4mVn2XyLdR9eTuPaS", '"'],
  ["salt: '", "./pqrs/kHBFKsrF0b3+GcWCwq7Zt4mVn2XyLdR9eTuPa", "'"],
  ["ACME_BLOB=", "--abkHBFKsrF0b3GcWCwq7Zt-4mVn2Xy", ""],
])("RED-4 a generated value that begins like a path or an option is masked: %s", (before, secret, after) => {
  expect(restOf(redactSecrets(`see ${before}${secret}${after} here`).text, secret)).toBe("");
});

test.each(["EjbUO-JIitWJJFprg-EmoeqlvhdpalBH", "YBpsAERSpiou_QdDDBIGRyzLNIWNMYUo"])(
  "RED-4 a generated value that happens to have no digit is masked: %s",
  (secret) => {
    expect(restOf(redactSecrets(`see ACME_BLOB=${secret} here`).text, secret)).toBe("");
  },
);

test.each(["=${", "${SUFFIX}", "-${{ github.sha }}"])(
  "RED-4 a generated value that a reference follows is masked: %s",
  (after) => {
    const secret = "QANJchmockPG4ZsoxmjHOyUFw4idWGug";
    expect(restOf(redactSecrets(`service_key=${secret}${after}`).text, secret)).toBe("");
    const named = `cache-key=build-linux-node${after}`;
    expect(redactSecrets(named).text).toBe(named);
  },
);

test("RED-4 a secret of any rule, anywhere in any text, leaves no twelve characters of itself", () => {
  fc.assert(
    fc.property(
      surroundings,
      glue,
      anyExample,
      glue,
      surroundings,
      (before, left, { text, secrets }, right, after) => {
        const masked = redactSecrets(before + left + text + right + after).text;
        for (const secret of secrets) expect(restOf(masked, secret)).toBe("");
      },
    ),
    { numRuns: 3000 },
  );
});

test("RED-5 redacting twice is redacting once", () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.oneof(
          surroundings,
          anyExample.map(({ text }) => text),
        ),
        { maxLength: 6 },
      ),
      (parts) => {
        const once = redactSecrets(parts.join("")).text;
        expect(redactSecrets(once)).toEqual({ text: once, rules: [] });
      },
    ),
    { numRuns: 5000 },
  );
});

test("RED-5 what stands behind a secret of many lines is of the value that it began, whatever was named in between", () => {
  const key = "-----BEGIN PRIVATE KEY-----\nRAOJdinpdlPG5auqzokHP0UFy6jeWGwh\n-----END PRIVATE KEY-----";
  const once = redactSecrets(`token: '${key}password=id and so on`).text;
  expect(once).toBe("token: '[redacted:private-key]");
  expect(redactSecrets(once)).toEqual({ text: once, rules: [] });
});

test("RED-5 a marker that somebody wrote hides nothing behind it", () => {
  expect(redactSecrets("password=[redacted:jwt]hunter22").text).toBe(
    "password=[redacted:credential-assignment]",
  );
  expect(redactSecrets("token=[redacted:0f3a9c5577]").text).toBe("token=[redacted:credential-assignment]");
});

/** Characters looked at while a text is redacted: what the cost is made of, and unlike time the same on every machine. */
function charactersRead(text: string): number {
  const original = Object.getOwnPropertyDescriptor(String.prototype, "charCodeAt");
  if (original === undefined) throw new Error("charCodeAt is gone");
  let reads = 0;
  Reflect.defineProperty(String.prototype, "charCodeAt", {
    ...original,
    value(this: string, index: number): number {
      reads++;
      return Reflect.apply<string, [number], number>(original.value, this, [index]);
    },
  });
  try {
    redactSecrets(text);
  } finally {
    Reflect.defineProperty(String.prototype, "charCodeAt", original);
  }
  return reads;
}

test("RED-6 cost grows with the length of the text, whatever it is made of", () => {
  const pieces = [
    ...builtInRules.anchors.map(({ text }) => text),
    "a",
    " ",
    '"',
    "A=",
    "@",
    "-",
    "eyJ.",
    "[redacted:x",
  ];
  const units = pieces.flatMap((piece) => ["", "=", " ", "x1B2c3D4"].map((other) => piece + other));
  const tooDear = units.filter((unit) => {
    const short = unit.repeat(Math.ceil(300 / unit.length));
    const [few, many] = [charactersRead(short), charactersRead(short.repeat(5))];
    return many > 7.5 * few + 3_000 || many > 100 * 5 * short.length;
  });
  expect(tooDear).toEqual([]);
}, 60_000);

test("RED-3 every marker that redaction writes is in the catalogue, once and described", () => {
  const ids = redactionRules.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(redactionRules.filter(({ description }) => description.length < 5)).toEqual([]);
  const policy = {
    always_redact: ["**/*.plan"],
    conditional_redact: [{ field: "note", rule: "personal_data", max_length: 64 }],
  };
  const { marks } = redact(compileRedactor(policy), {
    plan: "x",
    password: "x",
    note: `ada@example.org ${"long ".repeat(40)}`,
  });
  expect(marks.map(({ rule }) => rule).toSorted()).toEqual([
    "credential-field",
    "email",
    "max-length",
    "policy-path",
  ]);
  expect(marks.filter(({ rule }) => !ids.includes(rule))).toEqual([]);
});
