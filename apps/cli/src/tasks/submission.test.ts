import { describe, expect, test } from "vitest";
import { submissionFrom } from "./submission.ts";

const tenOf = (name: string) => `[${Array.from({ length: 10 }, () => name).join(",")}]`;

describe("a task", () => {
  test("from flags", () => {
    const body = submissionFrom(undefined, {
      template: "t",
      title: "Say «hello» now",
      criterion: ["It does"],
      risk: "critical",
      timeout: 60,
    });
    expect(JSON.parse(body)).toEqual({
      templateId: "t",
      contract: { taskId: "say-hello-now", title: "Say «hello» now", acceptanceCriteria: ["It does"] },
      execution: { riskTier: "RISK_TIER_CRITICAL", timeout: "60s" },
    });
  });

  test("JSON goes as it stands, YAML becomes JSON, and neither a mapping nor YAML is refused", () => {
    const text = '{ "templateId": "t", "n": 1.0 }';
    expect(submissionFrom({ name: "f", text }, {})).toBe(text);
    expect(submissionFrom({ name: "f", text: "templateId: t\ncontract: {title: x}" }, {})).toBe(
      '{"templateId":"t","contract":{"title":"x"}}',
    );
    expect(() => submissionFrom({ name: "f", text: "- a" }, {})).toThrow("f is no task");
    expect(() => submissionFrom({ name: "f", text: "a: [\nb" }, {})).toThrow(/^f:\d+:\d+: /);
    expect(() => submissionFrom({ name: "f", text }, { title: "x" })).toThrow("not by both");
    const bomb = [
      "a: &a [x]",
      ...Array.from({ length: 8 }, (_, at) => `n${at}: &n${at} ${tenOf(at === 0 ? "*a" : `*n${at - 1}`)}`),
    ].join("\n");
    expect(() => submissionFrom({ name: "f", text: bomb }, {})).toThrow("aliases");
  });
});
