import { StageJoin } from "@signalbox/contracts";
import { describe, expect, test } from "vitest";
import { parsePipelineTemplates, printPipelineTemplates } from "./pipeline-templates.ts";

const text = (stages: string, policy = "failure_strategy: PAUSE") => `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: one
      name: One
      policy: { ${policy} }
      stages:
${stages}`;
const faultsOf = (stages: string, policy?: string) => {
  const parsed = parsePipelineTemplates(text(stages, policy));
  return parsed.kind === "refused" ? parsed.faults : [];
};
const told = (stages: string, policy?: string) =>
  faultsOf(stages, policy).map(({ line, column, rule, message }) => [`${line}:${column}`, rule, message]);
const plain = (id: string, more = "") =>
  `        - { stage_id: ${id}, task_type: t, required: true${more} }\n`;
const edges = (...to: [string, string?][]) =>
  `, edges: [${to.map(([id, condition]) => `{ target_stage_id: ${id}${condition === undefined ? "" : `, condition: '${condition}'`} }`).join(", ")}]`;

const whole = `        - stage_id: find
          task_type: research
          required: true
          response_format: json_standard
          edges:
            - target_stage_id: check
            - target_stage_id: mend
              condition: response.status == "failure"
        - stage_id: check
          task_type: check
          required: true
          inputs:
            fields: "{{find.data.guesses}}"
            note: [1, true, null, "From {{find.message}}"]
        - stage_id: mend
          task_type: mend
          required: false
        - stage_id: tell
          task_type: tell
          required: true
          join: ANY
          depends_on_stages: [check, mend]
`;

test("SACP-27 a template with edges, joins and inputs loads, and is printed as it was read (DOC-5)", () => {
  const parsed = parsePipelineTemplates(text(whole));
  expect(parsed).toMatchObject({ kind: "valid" });
  if (parsed.kind === "refused") return;
  const [find, check, , tell] = parsed.document.templates[0]?.stages ?? [];
  expect(find?.config.responseFormat).toBe("json_standard");
  expect(find?.config.edges).toMatchObject([
    { targetStageId: "check", condition: "" },
    { targetStageId: "mend", condition: 'response.status == "failure"' },
  ]);
  expect(check?.config.inputs).toEqual({
    fields: "{{find.data.guesses}}",
    note: [1, true, null, "From {{find.message}}"],
  });
  expect(tell?.config.join).toBe(StageJoin.ANY);
  expect(parsePipelineTemplates(printPipelineTemplates(parsed.document))).toEqual(parsed);
});

describe("SACP-11 SACP-27 SACP-30 what cannot be is told by its line", () => {
  test("a condition that is none, with the character", () => {
    expect(told(whole.replace('"failure"', '"failed"'))).toEqual([
      [
        "15:26",
        "expression",
        expect.stringContaining('response.status is never "failed". Allowed: success, completed, failure'),
      ],
    ]);
    expect(told(whole.replace("response.status ==", "response.state =="))).toEqual([
      ["15:26", "expression", 'No such key: state, at character 10: "state == \\"failure\\""'],
    ]);
  });

  test("an edge that leads nowhere, or round", () => {
    expect(told(whole.replace("target_stage_id: check", "target_stage_id: checks"))).toContainEqual([
      "13:32",
      "unknown_stage",
      'no stage "checks" is in this template. Did you mean check? Allowed: find, check, mend, tell',
    ]);
    expect(told(plain("a", edges(["b"])) + plain("b", edges(["a"])))).toEqual([
      ["8:11", "cycle", "these stages wait for each other, so none of them can start: a → b → a"],
    ]);
  });

  test("a placeholder of a stage that does not come before", () => {
    expect(told(whole.replace("{{find.data", "{{tell.data"))).toEqual([
      [
        "20:21",
        "expression",
        '"tell" is no stage that comes before this one. Allowed: find: "{{tell.data.guesses}}"',
      ],
    ]);
    expect(told(whole.replace("{{find.message}}", "{{find.message"))).toEqual([
      ["21:35", "expression", 'is opened by {{ and never closed by }}: "{{find.message"'],
    ]);
  });

  test("a condition where no stage may be skipped", () => {
    expect(told(whole, "failure_strategy: PAUSE, require_all_stages: true")).toEqual([
      [
        "15:26",
        "unreachable",
        expect.stringContaining("require_all_stages says that no stage may be skipped"),
      ],
    ]);
  });
});

describe("SACP-28 a stage that can never start is told", () => {
  const onSuccess = 'response.status == "success"';
  const onFailure = 'response.status == "failure"';
  const joined = (more = "", condition = onFailure) =>
    plain("a", edges(["b"], ["c", condition])) +
    plain("b") +
    plain("c") +
    plain("d", `, depends_on_stages: [b, c]${more}`);

  test("where it waits for both of two branches that exclude each other", () => {
    expect(told(joined())).toEqual([
      ["11:23", "unreachable", expect.stringContaining('the stage "d" can never start')],
    ]);
    expect(told(joined(", join: ANY"))).toEqual([]);
  });

  test("where a plain dependency and an edge for failure exclude each other", () => {
    expect(
      told(plain("a", edges(["b", onFailure])) + plain("b") + plain("c", ", depends_on_stages: [a, b]")),
    ).toHaveLength(1);
  });

  test("and not where the data will tell", () => {
    expect(told(joined("", "response.data.both"))).toEqual([]);
    expect(told(joined("", onSuccess))).toEqual([]);
    expect(told(joined("", 'result.outcome == "PARTIAL"'))).toEqual([]);
  });

  test("and nothing is said of what is too wide to be tried out", () => {
    const wide = Array.from(
      { length: 13 },
      (_, n) => plain(`s${n}`, edges([`t${n}`, "response.data.x"])) + plain(`t${n}`),
    ).join("");
    expect(told(wide + joined())).toEqual([]);
  });
});
