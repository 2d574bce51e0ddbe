import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { connect, disconnect, setCondition } from "./edit-lines.ts";
import { addStage, moveStage, removeStage, renameStage } from "./edit-stages.ts";
import {
  addTemplate,
  type Edited,
  removeTemplate,
  setStageField,
  setTemplateField,
  setVersion,
} from "./edit-template.ts";
import { emptyDocument, starterNames, starterText } from "./starters.ts";
import { type Line, readTemplates, type Template, wayBetween } from "./template-graph.ts";
import { openText } from "./template-text.ts";

const WRITTEN = `# who edits this: the platform team
pipeline_templates:
  version: "1.0.0"

  templates:
    - template_id: "ship"   # the usual way
      name: "Ship"
      stages:
        # it all begins here
        - stage_id: "implement"
          task_type: "feature-implementation"
          required: true
          handoff_policy:
            retry: { max_attempts: 2 }   # twice is enough

        - stage_id: "review"
          task_type: "code-review"
          required: true
          depends_on_stages: ["implement"]
          inputs:
            summary: "{{implement.message}} and {{ implement.data['implement.x'] }} of implement.data"

        # last
        - stage_id: "verify"
          task_type: "verification"
          required: false
          depends_on_stages:
            - "review"
      policy:
        failure_strategy: PAUSE
`;

const edited = (result: Edited): string => {
  if (result.kind === "refused") throw new Error(result.reason);
  return result.text;
};
const reason = (result: Edited) => (result.kind === "refused" ? result.reason : "edited");

function templateOf(text: string, id = "ship"): Template {
  const opened = openText(text);
  if (opened.kind === "unreadable") throw new Error(opened.fault.message);
  const found = readTemplates(opened.value).templates.find((template) => template.id === id);
  if (found === undefined) throw new Error(`no template ${id} in\n${text}`);
  return found;
}

/** What is written otherwise, as a person sees it in a diff. */
function changesIn(after: string, before = WRITTEN) {
  const [one, other] = [before.split("\n"), after.split("\n")];
  return {
    gone: one.filter((line) => !other.includes(line)).map((line) => line.trim()),
    come: other.filter((line) => !one.includes(line)).map((line) => line.trim()),
  };
}

describe("an edit changes the lines that it is about, and no other", () => {
  test("a field", () => {
    const text = edited(
      setStageField(WRITTEN, "ship", "implement", ["handoff_policy", "retry", "max_attempts"], 3),
    );
    expect(changesIn(text)).toEqual({
      gone: ["retry: { max_attempts: 2 }   # twice is enough"],
      come: [expect.stringMatching(/^retry: \{ ?max_attempts: 3 ?\} # twice is enough$/)],
    });
  });

  test("a field that comes, and goes again with the mappings around it", () => {
    const path = ["handoff_policy", "escalation", "escalate_on_policy_blocked"] as const;
    const come = edited(setStageField(WRITTEN, "ship", "verify", path, true));
    expect(changesIn(come)).toEqual({
      gone: [],
      come: ["handoff_policy:", "escalation:", "escalate_on_policy_blocked: true"].slice(1),
    });
    expect(edited(setStageField(come, "ship", "verify", path, undefined))).toBe(WRITTEN);
  });

  test("a name, wherever it stands: waiting, placeholders, and not in words", () => {
    const text = edited(renameStage(WRITTEN, "ship", "implement", "build"));
    expect(changesIn(text)).toEqual({
      gone: [
        '- stage_id: "implement"',
        'depends_on_stages: ["implement"]',
        `summary: "{{implement.message}} and {{ implement.data['implement.x'] }} of implement.data"`,
      ],
      come: [
        '- stage_id: "build"',
        'depends_on_stages: ["build"]',
        `summary: "{{build.message}} and {{ build.data['implement.x'] }} of implement.data"`,
      ],
    });
    expect(edited(renameStage(text, "ship", "build", "implement"))).toBe(WRITTEN);
  });

  test("a stage that comes is written in the author's quotes, behind the one it follows", () => {
    const text = edited(
      addStage(WRITTEN, "ship", { id: "audit", taskType: "security-review", after: "review" }),
    );
    expect(changesIn(text)).toEqual({
      gone: [],
      come: ['- stage_id: "audit"', 'task_type: "security-review"', 'depends_on_stages: ["review"]'],
    });
    expect(templateOf(text).stages.map(({ id }) => id)).toEqual(["implement", "review", "audit", "verify"]);
  });

  test("a stage that moves takes its comment along", () => {
    const text = edited(moveStage(WRITTEN, "ship", "verify", 1));
    expect(templateOf(text).stages.map(({ id }) => id)).toEqual(["implement", "verify", "review"]);
    expect(text.indexOf("# last")).toBeLessThan(text.indexOf('stage_id: "verify"'));
    expect(text.indexOf('stage_id: "review"')).toBeGreaterThan(text.indexOf('stage_id: "verify"'));
  });

  test("a new version", () => {
    expect(changesIn(edited(setVersion(WRITTEN, "1.1.0")))).toEqual({
      gone: ['version: "1.0.0"'],
      come: ['version: "1.1.0"'],
    });
  });
});

test("what waited for a stage that goes waits for what the stage waited for", () => {
  const { lines, stages } = templateOf(edited(removeStage(WRITTEN, "ship", "review")));
  expect(stages.map(({ id }) => id)).toEqual(["implement", "verify"]);
  expect(lines).toEqual([{ from: "implement", to: "verify", plain: true, conditions: [] }]);
});

describe("conditions", () => {
  const conditioned = edited(
    setCondition(WRITTEN, "ship", {
      from: "review",
      to: "verify",
      condition: 'response.status == "failure"',
    }),
  );

  test("a plain dependency becomes an edge of the stage before it, and a plain one again", () => {
    const { lines, stages } = templateOf(conditioned);
    expect(stages[1]?.edges).toEqual([{ target: "verify", condition: 'response.status == "failure"' }]);
    expect(stages[2]?.waitsFor).toEqual([]);
    expect(lines[1]).toEqual({
      from: "review",
      to: "verify",
      plain: false,
      conditions: ['response.status == "failure"'],
    });
    const back = edited(
      setCondition(conditioned, "ship", { from: "review", to: "verify", condition: undefined }),
    );
    expect(templateOf(back)).toEqual(templateOf(WRITTEN));
  });

  test("an edge without one is for success", () => {
    const text = edited(setCondition(conditioned, "ship", { from: "review", to: "verify", condition: " " }));
    expect(templateOf(text).stages[1]?.edges).toEqual([{ target: "verify", condition: "" }]);
  });

  test("two edges to one stage become one", () => {
    const doubled = conditioned.replace(
      /( +)- target_stage_id: verify\n/,
      (all, indent: string) => `${indent}- target_stage_id: verify\n${all}`,
    );
    expect(templateOf(doubled).stages[1]?.edges).toHaveLength(2);
    const text = edited(setCondition(doubled, "ship", { from: "review", to: "verify", condition: "x" }));
    expect(templateOf(text).stages[1]?.edges).toEqual([{ target: "verify", condition: "x" }]);
  });
});

describe("refused, with words", () => {
  const anchored = WRITTEN.replace('- stage_id: "implement"', '- stage_id: &first "implement"').replace(
    '["implement"]',
    "[*first]",
  );

  test.each([
    ["a circle", () => connect(WRITTEN, "ship", "verify", "implement"), /implement → review → verify/],
    ["itself", () => connect(WRITTEN, "ship", "review", "review"), /cannot wait for itself/],
    ["a line that is there", () => connect(WRITTEN, "ship", "implement", "review"), /already/],
    ["an id that is taken", () => renameStage(WRITTEN, "ship", "review", "verify"), /“verify” already/],
    ["an id with a gap", () => renameStage(WRITTEN, "ship", "review", "re view"), /white space/],
    ["no id", () => addStage(WRITTEN, "ship", { id: "", taskType: "x" }), /needs an id/],
    ["another template", () => removeStage(WRITTEN, "shop", "review"), /no template “shop”/],
    ["a text that is no YAML", () => removeStage("a: [", "ship", "review"), /cannot be read/],
    ["what an alias stands for", () => removeStage(anchored, "ship", "implement"), /anchor/],
    ["a template twice", () => addTemplate(WRITTEN, starterText("single", "ship", "Ship")), /already/],
    [
      "a field of a stage in a form of its own",
      () =>
        setStageField(
          WRITTEN.replace("retry: { max_attempts: 2 }", "retry: often"),
          "ship",
          "implement",
          ["handoff_policy", "retry", "max_attempts"],
          3,
        ),
      /Edit it as YAML/,
    ],
  ])("%s", (_what, edit, words) => {
    expect(reason(edit())).toMatch(words);
  });

  test("the last stage stays", () => {
    const single = edited(addTemplate(WRITTEN, starterText("single", "alone", "Alone")));
    expect(reason(removeStage(single, "alone", "implement"))).toMatch(/at least one stage/);
  });

  test("and an alias is renamed with what it stands for", () => {
    const { lines } = templateOf(edited(renameStage(anchored, "ship", "implement", "build")));
    expect(lines[0]).toEqual({ from: "build", to: "review", plain: true, conditions: [] });
  });
});

test("a document begins empty, and takes every starter", () => {
  let text = emptyDocument("1.0.0");
  for (const starter of starterNames) text = edited(addTemplate(text, starterText(starter, starter, "A: b")));
  expect(readTemplates(open(text)).templates.map(({ id }) => id)).toEqual(starterNames);
  expect(templateOf(text, "branches").lines.map(({ to }) => to)).toEqual(["review", "recover"]);
  text = edited(removeTemplate(text, "review"));
  text = edited(setTemplateField(text, "single", ["policy", "failure_strategy"], "FAIL_FAST"));
  expect(templateOf(text, "single").policy["failure_strategy"]).toBe("FAIL_FAST");
  expect(readTemplates(open(text)).templates.map(({ id }) => id)).toEqual(["single", "branches"]);
});

const open = (text: string) => {
  const opened = openText(text);
  return opened.kind === "open" ? opened.value : undefined;
};

describe("whatever is edited, in whatever order", () => {
  const names = ["a", "b-c", "d.e", "größe", "f:g", "#h", "true", "12"] as const;
  const name = fc.constantFrom(...names);
  type Model = { ids: string[]; lines: Pick<Line, "from" | "to" | "plain" | "conditions">[] };
  type Step = (text: string, model: Model) => { result: Edited; after: Model | undefined };
  const has = ({ ids }: Model, id: string) => ids.includes(id);
  const lineOf = ({ lines }: Model, from: string, to: string) =>
    lines.find((line) => line.from === from && line.to === to);

  const adding = fc
    .tuple(name, fc.option(name, { nil: undefined }))
    .map(([id, after]): Step => (text, model) => {
      const at = after === undefined ? -1 : model.ids.indexOf(after);
      const lines =
        at === -1
          ? model.lines
          : [...model.lines, { from: after ?? "", to: id, plain: true, conditions: [] }];
      const ids = model.ids.toSpliced(at === -1 ? model.ids.length : at + 1, 0, id);
      return {
        result: addStage(text, "t", { id, taskType: "work", after }),
        after: has(model, id) ? undefined : { ids, lines },
      };
    });
  const renaming = fc.tuple(name, name).map(([from, to]): Step => (text, model) => {
    const renamed = (id: string) => (id === from ? to : id);
    const after = {
      ids: model.ids.map(renamed),
      lines: model.lines.map((line) => ({ ...line, from: renamed(line.from), to: renamed(line.to) })),
    };
    return {
      result: renameStage(text, "t", from, to),
      after: from !== to && has(model, to) ? undefined : after,
    };
  });
  const connecting = fc.tuple(name, name).map(([from, to]): Step => (text, model) => {
    const refused =
      !has(model, from) ||
      !has(model, to) ||
      from === to ||
      lineOf(model, from, to) !== undefined ||
      wayBetween(model.lines, to, from) !== undefined;
    const line = { from, to, plain: true, conditions: [] };
    return {
      result: connect(text, "t", from, to),
      after: refused ? undefined : { ...model, lines: [...model.lines, line] },
    };
  });
  const conditioning = fc
    .tuple(name, name, fc.constantFrom(undefined, "", 'response.data.x > 1 # "no comment"'))
    .map(([from, to, condition]): Step => (text, model) => ({
      result: setCondition(text, "t", { from, to, condition }),
      after:
        lineOf(model, from, to) === undefined
          ? undefined
          : {
              ...model,
              lines: model.lines.map((line) =>
                line.from === from && line.to === to
                  ? {
                      from,
                      to,
                      plain: condition === undefined,
                      conditions: condition === undefined ? [] : [condition],
                    }
                  : line,
              ),
            },
    }));
  const disconnecting = fc.tuple(name, name).map(([from, to]): Step => (text, model) => ({
    result: disconnect(text, "t", from, to),
    after:
      has(model, from) && has(model, to)
        ? { ...model, lines: model.lines.filter((line) => line.from !== from || line.to !== to) }
        : undefined,
  }));
  const moving = fc.tuple(name, fc.nat({ max: 9 })).map(([id, to]): Step => (text, model) => {
    const ids = model.ids.filter((known) => known !== id);
    return {
      result: moveStage(text, "t", id, to),
      after: has(model, id) ? { ...model, ids: ids.toSpliced(Math.min(to, ids.length), 0, id) } : undefined,
    };
  });
  const plainly = (line: Model["lines"][number]) => ({ ...line, plain: true });
  const removing = name.map((id): Step => (text, model) => {
    const before = model.lines.filter((line) => line.to === id && line.plain).map(({ from }) => from);
    const behind = model.lines.filter((line) => line.from === id && line.plain).map(({ to }) => to);
    const left = model.lines.filter(({ from, to }) => from !== id && to !== id);
    const bridges = behind.flatMap((to) =>
      before
        .filter((from) => !left.some((line) => line.from === from && line.to === to && line.plain))
        .map((from) => ({ from, to })),
    );
    const lines = left.map((line) =>
      bridges.some(({ from, to }) => from === line.from && to === line.to) ? plainly(line) : line,
    );
    const laid = bridges.filter((bridge) => lineOf({ ids: [], lines }, bridge.from, bridge.to) === undefined);
    return {
      result: removeStage(text, "t", id),
      after:
        has(model, id) && model.ids.length > 1
          ? {
              ids: model.ids.filter((known) => known !== id),
              lines: [...lines, ...laid.map(({ from, to }) => ({ from, to, plain: true, conditions: [] }))],
            }
          : undefined,
    };
  });

  const step = fc.oneof(
    adding,
    adding,
    connecting,
    connecting,
    renaming,
    conditioning,
    disconnecting,
    moving,
    removing,
  );
  const layouts = [
    (text: string) => text,
    (text: string) => text.replaceAll("{ ", "{").replaceAll("[ ", "["),
    (text: string) => text.replaceAll(/^( *- stage_id)/gm, "\n      # kept\n$1"),
  ];
  const begun = edited(addTemplate(emptyDocument("1.0.0"), starterText("single", "t", "T"))).replaceAll(
    "implement",
    "a",
  );
  const sorted = (lines: Model["lines"]) =>
    lines.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

  test("the text reads back as the graph that was meant, or is refused and untouched", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.constantFrom(...layouts), (steps, layout) => {
        let text = layout(begun);
        let model: Model = { ids: ["a"], lines: [] };
        for (const one of steps) {
          const { result, after } = one(text, model);
          expect(result.kind).toBe(after === undefined ? "refused" : "edited");
          if (result.kind === "refused" || after === undefined) continue;
          ({ text } = result);
          model = after;
          const read = templateOf(text, "t");
          expect(read.stages.map(({ id }) => id)).toEqual(model.ids);
          expect(sorted([...read.lines])).toEqual(sorted(model.lines));
        }
      }),
      { numRuns: 40 },
    );
  });
});
