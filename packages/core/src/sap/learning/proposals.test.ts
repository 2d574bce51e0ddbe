import { describe, expect, test } from "vitest";
import { aggregateOf, outcome, rated, sampled, told } from "../testing/signals.ts";
import { capabilityRule, principleRule, section } from "../testing/task.ts";
import type { AggregateKey } from "./aggregate.ts";
import { judgeProposal, type PolicyChange, subjectOf } from "./proposal.ts";
import { propose } from "./propose.ts";

const key = (scope: AggregateKey["scope"], said: Partial<AggregateKey> = {}): AggregateKey => ({
  scope,
  capability: "consult",
  territory: scope === "territory" ? "EUFM" : "",
  fingerprint: "",
  ...said,
});

const noted = (taskId: string, note: string, score: number | null = 2) =>
  told(rated({ note, score }), { taskId });

const playbooksFrom = (signals: ReturnType<typeof told>[], said = section()) =>
  propose(key("territory"), aggregateOf("territory", signals), said);

describe("playbooks", () => {
  const text = "From corrected results:\n- Cite the sources.\n- Ask before deleting.";

  test("SAP-55 what people noted on two results, each thing once and on a line of its own", () => {
    const signals = [
      noted("1", "Cite the sources."),
      noted("2", "cite  the\nsources."),
      noted("3", "Ask before\ndeleting.", null),
      noted("4", "Lovely!", 5),
    ];
    expect(playbooksFrom(signals)).toMatchObject([
      {
        change: {
          kind: "playbook",
          capability: "consult",
          territory: "EUFM",
          text: expect.stringMatching(
            /^From corrected results:\n- cite the sources\.\n- Ask before deleting\.$/i,
          ),
        },
        why: expect.stringContaining("3 results"),
        evidence: ["ada on task 1, rated 2 of 5", "ada on task 2, rated 2 of 5", "ada on task 3"],
      },
    ]);
  });

  test.each([
    [
      "one result",
      [noted("1", "Cite."), told(rated({ note: "Ask.", score: 1 }), { taskId: "1", by: "bob" })],
    ],
    ["one thing said twice", [noted("1", "Cite."), noted("2", "Cite.")]],
    ["praise", [noted("1", "Well done.", 4), noted("2", "Nice.", 5)]],
  ])("SAP-55 %s is no playbook", (_name, signals) => {
    expect(playbooksFrom(signals)).toEqual([]);
  });

  test("SAP-54 nothing that the policy says, and nothing that it could not write", () => {
    const signals = [noted("1", "Cite the sources."), noted("2", "Ask before deleting.")];
    expect(playbooksFrom(signals)).toMatchObject([{ change: { text } }]);
    const playbooks = [{ capability: "consult", territory: "EUFM", text }];
    expect(playbooksFrom(signals, section({ playbooks }))).toEqual([]);
    const spaced = key("territory", { capability: "con sult" });
    expect(propose(spaced, aggregateOf("territory", signals), section())).toEqual([]);
    const nowhere = propose(
      key("territory", { territory: "" }),
      aggregateOf("territory", signals),
      undefined,
    );
    expect(nowhere).toMatchObject([{ change: { territory: null } }]);
  });
});

const times = (count: number, reading: number, status: "SUCCEEDED" | "FAILED" | "CANCELLED") =>
  Array.from({ length: count }, () => told(outcome({ status, pressure: { calm: reading } })));

const thresholdsFrom = (signals: ReturnType<typeof told>[], said: Parameters<typeof principleRule>[1] = {}) =>
  propose(
    key("all", { capability: "" }),
    aggregateOf("all", signals),
    section({ principles: [principleRule("calm", said)] }),
  ).map(({ change }) => change);

const escalatingAbove = (escalateAbove: number) => [{ kind: "threshold", principle: "calm", escalateAbove }];

describe("thresholds", () => {
  const troubled = [...times(10, 35, "SUCCEEDED"), ...times(5, 45, "SUCCEEDED"), ...times(5, 75, "FAILED")];
  test("SAP-56 where half goes wrong above and hardly anything below", () => {
    expect(thresholdsFrom(troubled)).toEqual(escalatingAbove(40));
    expect(thresholdsFrom(troubled, { escalateAbove: 60 })).toEqual(escalatingAbove(40));
  });

  test.each([
    ["a threshold stands there or lower", troubled, { escalateAbove: 40 }],
    ["it would never act for the refusal below it", troubled, { refuseAbove: 40 }],
    ["too little was seen below", troubled.slice(1), {}],
    ["too little was seen above", troubled.slice(0, -1), {}],
    ["as much goes wrong below", [...troubled, ...times(5, 35, "FAILED")], {}],
    ["most of it was aborted", [...times(10, 35, "SUCCEEDED"), ...times(20, 75, "CANCELLED")], {}],
  ])("SAP-56 none is suggested where %s", (_name, signals, said) => {
    expect(thresholdsFrom(signals, said)).toEqual([]);
  });

  test("SAP-56 people's ratings count: what they find poor went wrong", () => {
    const poor = told(rated({ score: 1, pressure: { calm: 75 }, poor: 1 }));
    const signals = [...times(10, 35, "SUCCEEDED"), ...times(10, 75, "SUCCEEDED")];
    expect(thresholdsFrom(signals)).toEqual([]);
    expect(thresholdsFrom([...signals, ...Array.from({ length: 5 }, () => poor)])).toEqual(
      escalatingAbove(40),
    );
  });

  test("SAP-56 raised by a step where people are asked for nothing, and never above what is refused", () => {
    const asked = times(10, 65, "SUCCEEDED");
    expect(thresholdsFrom(asked, { escalateAbove: 60 })).toEqual(escalatingAbove(70));
    expect(thresholdsFrom(asked, { escalateAbove: 60, refuseAbove: 65 })).toEqual([]);
    expect(thresholdsFrom(asked.slice(1), { escalateAbove: 60 })).toEqual([]);
    expect(thresholdsFrom(asked, { escalateAbove: 65 })).toEqual(escalatingAbove(80));
    expect(
      thresholdsFrom([...asked, ...times(5, 68, "FAILED"), ...times(10, 75, "SUCCEEDED")], {
        escalateAbove: 65,
      }),
    ).toEqual([]);
    expect(thresholdsFrom([...asked, ...times(1, 65, "FAILED")], { escalateAbove: 60 })).toEqual([]);
  });
});

const essencesFrom = (signals: ReturnType<typeof sampled>[], said = section()) =>
  propose(
    key("capability"),
    aggregateOf(
      "capability",
      signals.map((one) => told(one)),
    ),
    said,
  ).map(({ change }) => change);

const excluding = (exclude: string[], foldText = false) => [
  { kind: "essence", capability: "consult", exclude, foldText },
];

describe("essence", () => {
  const seeds = ["1", "2", "3", "4"].map((seed) => sampled({ topic: "a", seed }, "same"));
  test("SAP-57 a member that made no difference three times is left out", () => {
    expect(essencesFrom([...seeds, sampled({ topic: "b", seed: "1" }, "other")])).toEqual(
      excluding(["seed"]),
    );
    expect(essencesFrom(seeds.slice(1))).toEqual([]);
  });

  test("SAP-57 one time that it did, and it stays", () => {
    const different = [sampled({ topic: "b", seed: "1" }, "x"), sampled({ topic: "b", seed: "2" }, "y")];
    expect(essencesFrom([...seeds, ...different])).toEqual([]);
  });

  test("SAP-57 what makes no difference alone and does together is not left out together", () => {
    const both = [
      ...["1", "2", "3", "4"].map((seed) => sampled({ topic: "a", seed, trace: "1" }, "same")),
      ...["2", "3", "4"].map((trace) => sampled({ topic: "a", seed: "1", trace }, "same")),
    ];
    expect(essencesFrom([...both, sampled({ topic: "b", seed: "1", trace: "1" }, "other")])).toEqual(
      excluding(["seed", "trace"]),
    );
    const [one] = essencesFrom([...both, sampled({ topic: "a", seed: "9", trace: "9" }, "other")]);
    expect(one).toMatchObject({ kind: "essence", exclude: [expect.any(String)] });
  });

  test("SAP-57 never all members: something tells tasks apart", () => {
    const alone = ["1", "2", "3", "4"].map((seed) => sampled({ seed }, "same"));
    expect(essencesFrom(alone)).toEqual([]);
    const rule = capabilityRule({ essence: { include: undefined, exclude: ["trace"], foldText: false } });
    const before = sampled({ seed: "1", trace: "1" }, "same");
    expect(essencesFrom([...alone, before], section({ capabilities: [rule] }))).toEqual([]);
  });

  test("SAP-57 white space and case are folded where they made no difference", () => {
    const spelled = ["a", "A", " a", "a "].map((topic) => sampled({ topic, kind: "k" }, "same", "a"));
    const others = ["b", "c"].map((topic) => sampled({ topic, kind: "k" }, topic, topic));
    expect(essencesFrom([...spelled, ...others])).toEqual(excluding([], true));
    const one = capabilityRule({ essence: { include: undefined, exclude: ["seed"], foldText: true } });
    expect(essencesFrom([...spelled, ...others, ...seeds], section({ capabilities: [one] }))).toEqual([]);
  });
});

const playbook: PolicyChange = {
  kind: "playbook",
  capability: "consult",
  territory: "EUFM",
  text: "From corrected results:\n- Cite.",
};
const threshold: PolicyChange = { kind: "threshold", principle: "calm", escalateAbove: 40 };
const essence: PolicyChange = { kind: "essence", capability: "consult", exclude: ["seed"], foldText: true };

describe("what becomes of a proposal", () => {
  test.each([
    ["nothing yet", undefined, "propose"],
    ["the same, open", { digest: "d", state: "open" }, "nothing"],
    ["another, open", { digest: "e", state: "open" }, "supersede"],
    ["the same, refused", { digest: "d", state: "refused" }, "nothing"],
    ["another, refused", { digest: "e", state: "refused" }, "propose"],
    ["the same, accepted, and rolled back since", { digest: "d", state: "accepted" }, "propose"],
    ["the same, superseded", { digest: "d", state: "superseded" }, "propose"],
  ] as const)("SAP-58 before it %s: %s", (_name, earlier, expected) => {
    expect(judgeProposal("d", earlier)).toBe(expected);
  });

  test("SAP-58 two are about the same when they would change the same", () => {
    const subjects = [playbook, { ...playbook, territory: null }, threshold, essence].map(subjectOf);
    expect(new Set(subjects).size).toBe(4);
    expect(subjectOf({ ...playbook, text: "other" })).toBe(subjects[0]);
    expect(subjectOf({ ...threshold, escalateAbove: 50 })).toBe(subjects[2]);
    expect(subjectOf({ ...essence, foldText: false })).toBe(subjects[3]);
  });
});
