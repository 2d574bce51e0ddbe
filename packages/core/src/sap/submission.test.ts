import { Priority, RiskTier, SignalboxError } from "@signalbox/contracts";
import { SAP_ERROR_CODES, type Task } from "@signalbox/contracts/sap";
import { ERROR_CODES } from "@signalbox/contracts";
import { expect, test } from "vitest";
import type { Caller } from "../caller.ts";
import { NOW, policy, route } from "../dispatch/testing/registry.ts";
import { parseRoutingPolicy, printRoutingPolicy, type RoutingPolicy } from "../documents/routing-policy.ts";
import { capabilityOf } from "./capability.ts";
import { mayAskAgain, mayIssue } from "./issuer.ts";
import { refuseUnderPressure, tierOf } from "./pressure.ts";
import { refuseMisspelt } from "./principle.ts";
import { readSapTask } from "./read-task.ts";
import { sapErrorOf } from "./refusal.ts";
import { refuseUnusableContract, sourceTaskId, submissionOf } from "./submission.ts";
import { capabilityRule, principleRule, sapTask, section } from "./testing/task.ts";

const refusalOf = (run: () => unknown): SignalboxError => {
  try {
    run();
  } catch (error) {
    if (error instanceof SignalboxError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
};

const known = (sap?: RoutingPolicy["sap"]): RoutingPolicy => ({
  ...policy([route("consult", ["adviser@^1.0.0", "other"])]),
  ...(sap && { sap }),
});
const targeting = (capability: string, agentId?: string) =>
  sapTask({ target: agentId === undefined ? { capability } : { capability, agentId } });

test("SAP-1 a capability without an entry is the task type of its name, where a route has one", () => {
  expect(capabilityOf(known(), targeting("consult")).work).toEqual({ case: "taskType", value: "consult" });
  expect(refusalOf(() => capabilityOf(known(), targeting("paint")))).toMatchObject({
    code: "NOT_FOUND",
    violations: [{ field: "target.capability", rule: "routable", message: 'nothing here offers "paint"' }],
  });
});

test("SAP-1 a capability is what the policy maps it to", () => {
  const sap = section({
    capabilities: [
      capabilityRule({ capability: "consult.align" }),
      capabilityRule({ capability: "build", work: { case: "templateId", value: "feature" } }),
      capabilityRule({ capability: "lost", work: { case: "taskType", value: "unrouted" } }),
    ],
  });
  expect(capabilityOf(known(sap), targeting("consult.align")).work.value).toBe("consult");
  expect(capabilityOf(known(sap), targeting("build")).work).toEqual({ case: "templateId", value: "feature" });
  expect(refusalOf(() => capabilityOf(known(sap), targeting("lost"))).code).toBe("NOT_FOUND");
});

test("SAP-2 a target is a pack that the route allows, and no part of a template", () => {
  const sap = section({
    capabilities: [capabilityRule({ capability: "build", work: { case: "templateId", value: "t" } })],
  });
  expect(capabilityOf(known(sap), targeting("consult", "adviser")).capability).toBe("consult");
  expect(
    refusalOf(() => capabilityOf(known(sap), targeting("consult", "painter"))).violations[0],
  ).toMatchObject({
    field: "target.agentId",
    message: '"painter" is no pack that may do "consult"',
  });
  expect(refusalOf(() => capabilityOf(known(sap), targeting("build", "adviser"))).violations[0]?.field).toBe(
    "target.agentId",
  );
});

const policyText = (sap: string) => `routing_policy:
  version: "1.0.0"
  routes: []
  admission:
    max_global_queue_depth: 1
    max_per_pack_concurrent: 1
    circuit_breaker: { error_threshold: 5, window: "60s", half_open_after: "30s" }
  defaults: { max_candidate_agents: 3, require_healthy: true }
sap_policy:
${sap}`;
const parsed = (sap: string) => parseRoutingPolicy(policyText(sap));
const faults = (sap: string) => {
  const read = parsed(sap);
  return read.kind === "refused" ? read.faults.map(({ line, path, message }) => [line, path, message]) : [];
};

test("SAP-3 the section is read, and printed as the same section", () => {
  const read = parsed(`  capabilities:
    - capability: consult.align
      template_id: consultation
      issuers: [{ agent_kind: agent, agent_id: prime }, { agent_kind: user }]
      essence: { include: [topic, options.depth], exclude: [options.seed], fold_text: true }
      max_cache_age: "24h"
    - capability: plain
  principles:
    - { principle: blueprint, checks: [tests, safety], escalate_above: 60, refuse_above: 90 }
    - principle: calm
  playbooks:
    - { capability: consult.align, territory: EUFM, text: "Begin with the sources." }`);
  if (read.kind === "refused") throw new Error(JSON.stringify(read.faults));
  expect(read.document.sap?.capabilities[0]).toEqual({
    capability: "consult.align",
    work: { case: "templateId", value: "consultation" },
    issuers: [
      { agentKind: "agent", agentId: "prime" },
      { agentKind: "user", agentId: undefined },
    ],
    essence: { include: ["topic", "options.depth"], exclude: ["options.seed"], foldText: true },
    maxCacheAgeMs: 86_400_000,
  });
  expect(read.document.sap?.capabilities[1]?.work).toEqual({ case: "taskType", value: "plain" });
  expect(read.document.sap?.principles[1]?.checks).toHaveLength(6);
  expect(parseRoutingPolicy(printRoutingPolicy(read.document))).toEqual(read);
});

test("SAP-3 what is said twice, or never acts, is refused with its line", () => {
  expect(faults(`  capabilities:\n    - capability: a\n    - capability: a`)).toEqual([
    [12, "sap_policy.capabilities[1].capability", expect.stringContaining("a second time")],
  ]);
  expect(
    faults(`  principles:\n    - { principle: p, escalate_above: 80, refuse_above: 70 }\n    - principle: p`),
  ).toEqual([
    [
      11,
      "sap_policy.principles[0].escalate_above",
      "is 80, above refuse_above (70): nobody would ever be asked",
    ],
    [12, "sap_policy.principles[1].principle", expect.stringContaining("a second time")],
  ]);
  expect(faults(`  capabilities:\n    - { capability: a, task_type: b, template_id: c }`)[0]?.[2]).toContain(
    "one or the other",
  );
  expect(faults(`  principles:\n    - { principle: p, checks: [prayer] }`)[0]?.[2]).toContain(
    "Allowed: evidence, tests",
  );
});

const caller = (said: Partial<Caller>): Caller => ({
  tenantId: "north",
  actor: { type: "human", id: "ada" },
  role: "operator",
  credential: "key",
  ...said,
});
const user = { agentKind: "user", agentId: "ada" } as const;
const prime = { agentKind: "agent", agentId: "prime" } as const;
const gateway = { agentKind: "system", agentId: "gateway" } as const;
const open = capabilityRule();
const listing = capabilityRule({
  issuers: [
    { agentKind: "agent", agentId: "prime" },
    { agentKind: "system", agentId: undefined },
  ],
});

const speakers: [string, Partial<Caller>, Parameters<typeof mayIssue>[1], boolean][] = [
  ["a person as themselves", { credential: "session" }, user, true],
  ["a person as another", { credential: "session" }, { ...user, agentId: "bob" }, false],
  ["a person as an agent", { credential: "session" }, prime, false],
  ["an operator's key as whoever it carries for", {}, prime, true],
  ["a bound key as its pack", { packIds: ["prime"] }, prime, true],
  ["a bound key as another pack", { packIds: ["second"] }, prime, false],
  ["a bound key as a user", { packIds: ["ada"] }, user, false],
  ["an agent's key as the system", { role: "agent" }, gateway, false],
];
test.each(speakers)("SAP-4 the credential says who speaks: %s", (_what, said, issuer, allowed) => {
  expect(mayIssue(caller(said), issuer, open).allowed).toBe(allowed);
});

test("SAP-5 an agent issues only where the policy names it; people and their keys where it names nobody", () => {
  const agent = caller({ role: "agent", packIds: ["prime"] });
  expect(mayIssue(agent, prime, open)).toMatchObject({
    allowed: false,
    reason: expect.stringContaining("names it as an issuer"),
  });
  expect(mayIssue(agent, prime, listing).allowed).toBe(true);
  expect(mayIssue(caller({}), gateway, listing).allowed).toBe(true);
  expect(mayIssue(caller({ credential: "session" }), user, listing)).toEqual({
    allowed: false,
    reason: 'the policy does not name user "ada" as an issuer of "consult"',
  });
});

test("SAP-16 a task on file is told to its issuer who may read it: to an agent only what it submitted itself", () => {
  const agent = caller({ role: "agent", actor: { type: "agent", id: "k1" }, packIds: ["prime"] });
  expect(mayAskAgain(agent, prime, "k1")).toBe(true);
  expect(mayAskAgain(agent, prime, "k2")).toBe(false);
  expect(mayAskAgain(agent, gateway, "k1")).toBe(false);
  expect(mayAskAgain(caller({}), prime, "k2")).toBe(true);
  expect(mayAskAgain(caller({ credential: "session" }), prime, "ada")).toBe(false);
});

const under = (pressureLevel: "instant" | "consulted" | "deliberated", calm: number) =>
  sapTask({}, { pressureLevel, pressure: { calm } }).constitutionalContext;

test("SAP-6 the pressure level is a tier, and pressure above a threshold asks a person or is refused", () => {
  const rules = [principleRule("calm", { escalateAbove: 60, refuseAbove: 90 })];
  expect(tierOf(under("instant", 60), rules)).toBe(RiskTier.LOW);
  expect(tierOf(under("consulted", 60), rules)).toBe(RiskTier.NORMAL);
  expect(tierOf(under("deliberated", 0), rules)).toBe(RiskTier.CRITICAL);
  expect(tierOf(under("instant", 60.5), rules)).toBe(RiskTier.CRITICAL);
  refuseUnderPressure(under("instant", 90), rules);
  expect(refusalOf(() => refuseUnderPressure(under("instant", 90.5), rules))).toMatchObject({
    code: "NON_CONSTITUTIONAL",
    violations: [{ field: "constitutionalContext.pressure.calm", rule: "refuse_above" }],
  });
});

test("SAP-7 a task becomes a submission: what it wants, by when, on what, and how it is answered", () => {
  const task = sapTask(
    {
      telemetry: { priority: "urgent", deadline: "2027-01-01T00:00:00Z", budget: { seconds: 30 } },
      outputContract: { format: "json", schema: { type: "object" } },
      attachments: [{ uri: "https://vault.example/a", digest: "sha256:00" }, {}],
    },
    { objectives: ["Outline it"], constraints: ["No PII"], territory: "EUFM", references: ["ubos://books"] },
  );
  expect(submissionOf(task, capabilityRule(), undefined, NOW)).toMatchObject({
    work: { case: "taskType", value: "consult" },
    contract: {
      taskId: sourceTaskId(task.taskId),
      title: "consult: Outline it",
      ownerDomain: "EUFM",
      acceptanceCriteria: ["Outline it"],
      definitionOfDone: ["No PII"],
    },
    refs: [
      { uriOrLocator: "ubos://books" },
      { uriOrLocator: "https://vault.example/a", digest: "sha256:00" },
    ],
    execution: { riskTier: RiskTier.LOW, priority: Priority.CRITICAL, timeout: { seconds: 30n } },
    inputs: task.payload,
    responseFormat: "json_standard",
    outputSchema: { type: "object" },
  });
  const bare = submissionOf(sapTask(), capabilityRule(), undefined, NOW);
  expect(bare.responseFormat).toBe("");
  expect(bare.contract?.acceptanceCriteria).toHaveLength(1);
});

test("SAP-8 a playbook is told for its capability and territory", () => {
  const sap = section({
    playbooks: [
      { capability: "consult", territory: undefined, text: "for all" },
      { capability: "consult", territory: "EUFM", text: "for EUFM" },
      { capability: "consult", territory: "ELSE", text: "elsewhere" },
      { capability: "other", territory: undefined, text: "another" },
    ],
  });
  const told = submissionOf(sapTask({}, { territory: "EUFM" }), capabilityRule(), sap, NOW).contextIn
    ?.sharedContext;
  expect(told).toBe("for all\n\nfor EUFM");
});

test("SAP-9 every code of section 8 is one that a refusal here can have, or a Result", () => {
  const refusals = new Set(Object.values(ERROR_CODES).map(({ sapCode }) => sapCode));
  expect([...refusals].toSorted()).toEqual([...SAP_ERROR_CODES].toSorted());
  expect(sapErrorOf(new SignalboxError("RATE_LIMITED", "Slow down."))).toEqual({
    code: "RATE_LIMIT",
    message: "Slow down.",
    details: { violations: [] },
  });
});

test("SAP-9 what is too long, or not to be asked for, is told by its field", () => {
  const long = refusalOf(() =>
    readSapTask(sapTask({ target: { capability: "x".repeat(201) } }, { territory: "a\u0000" })),
  );
  expect(sapErrorOf(long)).toMatchObject({
    code: "INVALID_TASK",
    details: { violations: [{ field: "target.capability" }, { field: "constitutionalContext.territory" }] },
  });
  expect(refusalOf(() => readSapTask(null)).code).toBe("VALIDATION_FAILED");
  const ref = sapTask({ outputContract: { schema: { $ref: "http://example.org" } } });
  const bare = capabilityRule();
  expect(sapErrorOf(refusalOf(() => refuseUnusableContract(ref, bare)))).toMatchObject({
    code: "UNPROCESSABLE",
    details: { violations: [{ field: "outputContract.schema.$ref" }] },
  });
});

const contracted =
  (outputContract: NonNullable<Task["outputContract"]>, way: "taskType" | "templateId") => () =>
    refuseUnusableContract(
      sapTask({ outputContract }),
      capabilityRule({ work: { case: way, value: "consult" } }),
    );

test("SAP-12 a contract that no output can meet is told by its place; data is an object, other formats are text", () => {
  const list = { schema: { type: "array" } };
  expect(sapErrorOf(refusalOf(contracted({ format: "json", ...list }, "taskType")))).toMatchObject({
    code: "UNPROCESSABLE",
    message: "No output could meet the output contract's schema.",
    details: {
      violations: [{ field: "outputContract.schema.type", message: 'is "array", but it is always object' }],
    },
  });
  expect(contracted(list, "templateId")).toThrow("No output could meet");
  expect(contracted({ format: "markdown", schema: { type: "object" } }, "taskType")).toThrow(
    "No output could meet",
  );
  for (const format of ["json", "markdown"])
    expect(contracted({ format, schema: { type: ["object", "string"] } }, "templateId")).not.toThrow();
  expect(contracted({ format: "text", schema: { type: "string" } }, "taskType")).not.toThrow();
});

const attaching = (...uris: (string | undefined)[]) =>
  sapTask({ attachments: uris.map((uri) => (uri === undefined ? { kind: "pdf" } : { uri })) });

test.each([
  [{ seconds: 30, tokens: 5_000, coins: "any" }, []],
  [{ seconds: 0.25 }, []],
  [{ seconds: 0 }, ["telemetry.budget.seconds"]],
  [{ seconds: "30" }, ["telemetry.budget.seconds"]],
  [{ seconds: 1e300 }, ["telemetry.budget.seconds"]],
  [{ seconds: null, tokens: 1.5 }, ["telemetry.budget.seconds", "telemetry.budget.tokens"]],
  [{ tokens: -1 }, ["telemetry.budget.tokens"]],
])("SAP-14 a budget of %j", (budget, refused) => {
  const fields = (): readonly string[] => {
    try {
      return Object.keys(readSapTask(sapTask({ telemetry: { budget } })).telemetry?.budget ?? {});
    } catch (error) {
      return error instanceof SignalboxError ? error.violations.map(({ field }) => field) : [];
    }
  };
  expect(fields()).toEqual(refused.length === 0 ? Object.keys(budget) : refused);
});

test("SAP-11 what is attached can be fetched, or is told by its field", () => {
  const fit = [
    "https://vault.example/a?x=1",
    "HTTP://vault.example",
    "s3://bucket/key",
    "gs://bucket/key",
    "signalbox:attachment/0199a1b2-0d2c-7c1a-9b75-2a4b3b0b6c0a",
  ];
  expect(readSapTask(attaching(...fit)).attachments).toHaveLength(fit.length);
  const amiss = [
    "javascript:alert(1)",
    undefined,
    "",
    "data:text/html,x",
    "file:///etc/passwd",
    "https:///path",
    "//vault.example/a",
    " https://vault.example",
    "https://vault.example/\na",
    "signalbox:attachment/",
    "signalbox:attachment/0199a1b2-0d2c-7c1a-9b75-2a4b3b0b6c0a/..",
    "https://vault.example/".padEnd(4_001, "a"),
  ];
  const refused = sapErrorOf(refusalOf(() => readSapTask(attaching(...fit.slice(0, 1), ...amiss))));
  expect(refused.code).toBe("INVALID_TASK");
  expect(refused.details.violations.map(({ field }) => field)).toEqual(
    amiss.map((_uri, index) => `attachments[${index + 1}].uri`),
  );
  const many = refusalOf(() => readSapTask(attaching(...Array.from({ length: 201 }, () => fit[0]))));
  expect(many.violations).toMatchObject([{ field: "attachments", rule: "max_items" }]);
});

test("SAP-10 a deadline that has passed is refused", () => {
  const late = sapTask({ telemetry: { deadline: "2020-01-01T00:00:00Z" } });
  const error = refusalOf(() => submissionOf(late, capabilityRule(), undefined, NOW));
  expect(sapErrorOf(error).code).toBe("TIMEOUT");
});

test("SAP-15 a principle that the policy spells otherwise is refused by its field, with what it is called there", () => {
  const rules = [principleRule("strategic_pause", { refuseAbove: 90 }), principleRule("Ruhe")];
  const said =
    (principles: readonly string[], pressure: Readonly<Record<string, number>> = {}) =>
    () =>
      refuseMisspelt({ principles: [...principles], pressure }, rules);
  expect(said(["strategic_pause", "kindness", "Ruhe"], { strategic_pause: 95, calm: 99 })).not.toThrow();
  for (const spelt of [
    "Strategic_Pause",
    " strategic_pause",
    "strategicPause",
    "strategic-pause",
    "ｓtrategic_pause",
  ])
    expect(refusalOf(said(["kindness", spelt], { [spelt]: 99 }))).toMatchObject({
      code: "VALIDATION_FAILED",
      violations: [
        {
          field: "constitutionalContext.principles[1]",
          rule: "policy_name",
          message: `is "${spelt}"; the policy in force calls it "strategic_pause"`,
        },
        { field: `constitutionalContext.pressure.${spelt}` },
      ],
    });
  expect(() => refuseMisspelt({ principles: ["ruhe"] }, undefined)).not.toThrow();
  const unlike = [principleRule("काम"), principleRule("&")];
  expect(() => refuseMisspelt({ principles: ["कम", "§"], pressure: { "🙂": 1 } }, unlike)).not.toThrow();
  const both = [principleRule("calm"), principleRule("Calm")];
  expect(() => refuseMisspelt({ principles: ["calm", "Calm"] }, both)).not.toThrow();
});

test("SAP-15 a principle without a name is none", () => {
  for (const name of ["", "  ", "a\u0000b"]) {
    expect(
      refusalOf(() => readSapTask(sapTask({}, { principles: ["a", name], pressure: { [name]: 1 } }))),
    ).toMatchObject({
      violations: [
        { field: "constitutionalContext.principles[1]", rule: "format" },
        { field: "constitutionalContext.pressure[0]", message: expect.stringContaining("has a name") },
      ],
    });
  }
});
