import type { Task } from "@signalbox/contracts/sap";
import { isFinal } from "@signalbox/core";
import type { Engine } from "../../engine.ts";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findActive } from "../../documents/reads.ts";
import { publishDocument } from "../../documents/publish.ts";
import { listAudit } from "../../read-audit.ts";
import { learnAll } from "../../testing/learn-all.ts";
import { waitUntil } from "../../testing/wait-until.ts";
import { waitForSap } from "../../testing/sap-suite.ts";
import { sapWorld, taskFor } from "../../testing/sap-world.ts";
import { askedBy, openTestEngine, seedTenant, type TestEngine } from "../../testing/test-engine.ts";
import { exchangeSapTask } from "../exchange.ts";
import { readSapResult } from "../read-sap-results.ts";
import { decideProposal } from "./decide-proposal.ts";
import { learnFromSignals } from "./learn.ts";
import { rateResult } from "./rate-result.ts";
import { listAggregates, listCacheRecords, listPlaybooks } from "./read-learning.ts";
import { listRatedTasks, listRatings, readPipelineResult } from "./read-results.ts";
import { getProposal, listProposals } from "./read-proposals.ts";

let opened: TestEngine;
let world: Awaited<ReturnType<typeof sapWorld>>;
beforeAll(async () => {
  opened = await openTestEngine();
  world = await sapWorld(opened.engine);
});
afterAll(async () => {
  await world.stop();
  await opened.end();
});

const operator = askedBy("operator");
const approver = askedBy("approver");
const program = { ...operator, caller: { ...operator.caller, credential: "key" as const } };
const result = { result: (_from: unknown, taskId: string) => readSapResult(opened.engine, operator, taskId) };

const finished = async (...said: Parameters<typeof taskFor>): Promise<Task> => {
  const task = taskFor(...said);
  const { nack } = await exchangeSapTask(opened.engine, program, task);
  expect(nack).toBeUndefined();
  await waitForSap(result, task.taskId, isFinal);
  return task;
};
const rate = (task: Task, said: Parameters<typeof rateResult>[3], asked = approver) =>
  rateResult(opened.engine, asked, task.taskId, said);
const open = async () => (await listProposals(opened.engine, operator, { open: true })).proposals;
const decide = (
  proposalId: string,
  word: "accepted" | "refused",
  engine = opened.engine,
  replaces?: string,
) => decideProposal(engine, operator, proposalId, { word, reason: "It was tried.", replaces });
const active = async () => (await findActive(opened.engine, operator, "routing-policy"))?.version;

const given = (task: Task) =>
  world.envelopes.find(({ contract }) => contract?.taskId === `sap:${task.taskId}`)?.contextIn?.sharedContext;
const asking = (nonce: string) => ({ payload: { please: "agree", topic: "one", nonce } });

test("a playbook comes of people's corrections, is accepted once, and is told from then on", async () => {
  const context = { territory: "books" };
  const first = await finished("consult.align", {}, context);
  const second = await finished("consult.align", {}, context);
  await rate(first, { score: 2, note: "Cite the chapter." });
  await learnAll(opened.engine);
  expect(await open()).toEqual([]);
  await rate(second, { score: 3, note: "Answer in one page." });
  await learnAll(opened.engine);
  const [proposal, ...others] = await open();
  if (proposal === undefined) throw new Error("nothing was proposed");
  expect(others).toEqual([]);
  const before = await active();
  const { effect } = await getProposal(opened.engine, operator, proposal.proposalId);
  expect(effect).toMatchObject({ kind: "changes", replaces: before, version: "1.0.1" });

  const other = await opened.another();
  const engines = [opened.engine, other, opened.engine, other];
  const clicks = await Promise.allSettled(
    engines.map((engine) => decide(proposal.proposalId, "accepted", engine)),
  );
  const done = clicks.filter(({ status }) => status === "fulfilled");
  expect(done).toMatchObject([{ value: { decision: "accepted", policyVersion: "1.0.1" } }]);
  expect(await active()).toBe("1.0.1");
  await expect(decide(proposal.proposalId, "refused")).rejects.toMatchObject({ code: "INVALID_STATE" });
  const { entries } = await listAudit(opened.engine, askedBy("auditor"), { q: proposal.proposalId });
  expect(entries.map(({ payload }) => JSON.parse(payload).action)).toEqual([
    `accepted a playbook (${proposal.proposalId})`,
    `proposed a playbook (${proposal.proposalId})`,
  ]);
  const { playbooks } = await listPlaybooks(opened.engine, operator);
  expect(playbooks).toMatchObject([
    { learnt: false },
    {
      territory: "books",
      learnt: true,
      text: "From corrected results:\n- Cite the chapter.\n- Answer in one page.",
    },
  ]);

  const later = await finished("consult.align", {}, context);
  expect(given(first)).not.toContain("Cite the chapter.");
  expect(given(later)).toContain("Cite the chapter.");
  await learnAll(opened.engine);
  expect(await open()).toEqual([]);
});

test("an essence rule makes a hit of what was a miss, and no record of before is touched", async () => {
  const cached = { territory: "essence", cachePolicy: { mode: "prefer" } } as const;
  for (const nonce of ["1", "2", "3", "4"])
    await finished("ask", { ...asking(nonce), issuer: system }, cached);
  const records = () =>
    readRows(
      opened.made.url,
      "select cache_key, digest, record from signalbox.sap_cache_records order by record_id",
    );
  const before = await records();
  await learnAll(opened.engine);
  const [proposal] = await open();
  expect(proposal?.change).toEqual({
    kind: "essence",
    capability: "ask",
    exclude: ["nonce"],
    foldText: false,
  });
  const replaces = await active();
  await expect(decide(proposal?.proposalId ?? "", "accepted", opened.engine, "0.0.9")).rejects.toMatchObject({
    code: "VERSION_CONFLICT",
    message: expect.stringContaining(`it was to take the place of 0.0.9, but ${replaces} is active now`),
  });
  // With what the proposal says itself it is too long for a note, whose end falls into a character.
  const reason = `${(proposal?.why.length ?? 0) % 2 === 0 ? "" : "x"}${"🙂".repeat(999)}`;
  const accepted = { word: "accepted", reason, replaces } as const;
  const { policyVersion } = await decideProposal(
    opened.engine,
    operator,
    proposal?.proposalId ?? "",
    accepted,
  );
  expect(await active()).toBe(policyVersion);
  const { entries } = await listAudit(opened.engine, askedBy("auditor"), { q: policyVersion ?? "" });
  expect(entries.length).toBeGreaterThan(1);
  for (const { payload } of entries) expect(payload).not.toMatch(/\\ud[89a-f]/);

  const fifth = await finished("ask", { ...asking("5"), issuer: system }, cached);
  const sixth = await finished("ask", { ...asking("6"), issuer: system }, cached);
  const hit = async (task: Task) =>
    (await readSapResult(opened.engine, operator, task.taskId)).constitutionalEvidence.cache?.hit;
  expect([await hit(fifth), await hit(sixth)]).toEqual([false, true]);
  expect((await records()).slice(0, before.length)).toEqual(before);

  await learnAll(opened.engine);
  const wanted = { by: "capability", capability: "ask" } as const;
  const { rows } = await listAggregates(opened.engine, operator, wanted);
  expect(rows).toMatchObject([{ aggregate: { outcomes: 5, hits: 1, misses: 5, records: 5 } }]);
  const all = await listAggregates(opened.engine, operator, { by: "all" });
  expect(all.rows).toMatchObject([{ capability: "", aggregate: { hits: 1 } }]);
  const { rows: tasks } = await listRatedTasks(opened.engine, operator, { limit: 2 });
  expect(tasks).toMatchObject([
    { taskId: sixth.taskId, status: "SUCCEEDED", alignment: "VALID", hit: true, pipelineId: null },
    { taskId: fifth.taskId, hit: false, pipelineId: expect.any(String) },
  ]);
  const cache = await listCacheRecords(opened.engine, operator, { limit: 2 });
  expect(cache.rows).toMatchObject([{ taskId: fifth.taskId, replaced: false }, { capability: "ask" }]);
  expect(cache.nextCursor).toBeDefined();
});
const system = { agentId: "program", agentKind: "system" } as const;

describe("ratings", () => {
  test("are a person's, of a result that is final, masked, and the last word of each", async () => {
    const task = await finished("consult.align", {}, { territory: "ratings" });
    await expect(rate(task, { score: 9 })).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(rate(task, {})).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    await expect(rate(task, { score: 3 }, program)).resolves.toBeDefined();
    const key = { ...program, caller: { ...program.caller, actor: { type: "system", id: "key" } as const } };
    await expect(rate(task, { score: 3 }, key)).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(rate(task, { approved: true }, operator)).rejects.toMatchObject({ code: "FORBIDDEN" });
    const secret = `ghp_${"a1B2".repeat(9)}`;
    await rate(task, { score: 1, note: `use ${secret}` });
    await rate(task, { score: 5, approved: true });
    const { rows } = await listRatedTasks(opened.engine, operator, {});
    const said = rows.find(({ taskId }) => taskId === task.taskId)?.ratings;
    expect(said).toMatchObject([
      { by: "approver", score: 5, approved: true, note: null },
      { by: "operator", score: 3 },
    ]);
    const kept = await readRows(
      opened.made.url,
      "select signal from signalbox.sap_signals where kind = 'rating'",
    );
    expect(JSON.stringify(kept)).not.toContain(secret);
    expect(await listRatings(opened.engine, operator, task.taskId)).toEqual(said);
    const { pipelineId } = rows.find(({ taskId }) => taskId === task.taskId) ?? {};
    const of = await readPipelineResult(opened.engine, operator, pipelineId ?? "");
    expect(of).toMatchObject({ taskId: task.taskId, result: { status: "SUCCEEDED" }, ratings: said });
    const elsewhere = askedBy("operator", "elsewhere");
    expect(await readPipelineResult(opened.engine, elsewhere, pipelineId ?? "")).toBeUndefined();
    await expect(listRatings(opened.engine, elsewhere, task.taskId)).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    const idle = taskFor("idle");
    await exchangeSapTask(opened.engine, program, idle);
    await expect(rate(idle, { score: 1 })).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("sent again under one Idempotency-Key are one", async () => {
    const task = await finished("consult.align");
    await Promise.all([1, 2, 3].map(() => rate(task, { score: 4 }, once("rate-once"))));
    const kept = await readRows(
      opened.made.url,
      `select 1 from signalbox.sap_signals where kind = 'rating' and task_id = '${task.taskId}'`,
    );
    expect(kept).toHaveLength(1);
  });
});

const once = (name: string) => ({ ...approver, once: { key: name, digest: new Uint8Array(32) } });
test("of one person who says two things at once the word that counts is the one that is shown", async () => {
  const territory = "at once";
  const task = await finished("consult.align", {}, { territory });
  const words = [1, 2, 3, 4, 5].flatMap((score) => [
    rate(task, { score, note: `Note ${score}.` }, once(`at-once-${score}`)),
    rate(task, { score, note: `Note ${score}.` }),
  ]);
  const said = await Promise.allSettled(words);
  const refused = said.filter((one) => one.status === "rejected").map(({ reason }) => reason.code);
  expect(new Set([...refused, "INVALID_STATE"])).toEqual(new Set(["INVALID_STATE"]));
  await learnAll(opened.engine);
  const { rows } = await listRatedTasks(opened.engine, operator, {});
  const shown = rows.find(({ taskId }) => taskId === task.taskId)?.ratings;
  const { rows: counted } = await listAggregates(opened.engine, operator, { by: "territory", territory });
  const score = shown?.[0]?.score;
  expect(shown).toHaveLength(1);
  expect(counted).toMatchObject([
    { aggregate: { ratings: 1, scores: 1, scoreSum: score, notes: [{ note: `Note ${score}.` }] } },
  ]);
});

test("what was refused is not proposed again; what says something else takes the open one's place", async () => {
  const noted = async (note: string) => {
    const task = await finished("consult.align", {}, { territory: "refusals" });
    await rate(task, { score: 1, note });
    await learnAll(opened.engine);
    return open();
  };
  await noted("One.");
  const [first] = await noted("Two.");
  const [second, ...none] = await noted("Three.");
  expect(none).toEqual([]);
  expect(second?.proposalId).not.toBe(first?.proposalId);
  const { decision } = await getProposal(opened.engine, operator, first?.proposalId ?? "");
  expect(decision).toMatchObject({ word: "superseded", by: "signalbox" });
  const before = await active();
  await decide(second?.proposalId ?? "", "refused");
  expect(await noted("Three.")).toEqual([]);
  expect(await active()).toBe(before);
});

test("two nodes that learn at once count each signal once, tenant by tenant", async () => {
  await seedTenant(opened.engine.database, "other");
  const other = await opened.another();
  await Promise.all(Array.from({ length: 6 }, () => finished("consult.align", {}, { territory: "twice" })));
  const failed: unknown[] = [];
  const learn = (engine: Engine) => learnFromSignals(engine, (reason) => failed.push(reason));
  await Promise.all([1, 2, 3].flatMap(() => [learn(opened.engine), learn(other)]));
  expect(failed).toEqual([]);
  await learnAll(other);
  const wanted = { by: "territory", territory: "twice" } as const;
  const { rows } = await listAggregates(opened.engine, operator, wanted);
  expect(rows).toMatchObject([{ aggregate: { outcomes: 6 } }]);
  const foreign = await listAggregates(opened.engine, askedBy("operator", "other"), wanted);
  expect(foreign.rows).toEqual([]);
});

test("a rollback of the policy takes back what was accepted, and nothing that was learnt", async () => {
  const now = await active();
  await publishDocument(opened.engine, operator, "routing-policy", { version: "1.0.0" });
  const { playbooks } = await listPlaybooks(opened.engine, operator);
  expect(playbooks.map(({ learnt }) => learnt)).toEqual([false]);
  await publishDocument(opened.engine, operator, "routing-policy", { version: now ?? "" });
  expect((await listPlaybooks(opened.engine, operator)).playbooks).toHaveLength(2);
});

test.each(["sap_signals", "sap_proposals", "sap_decisions"])(
  "%s are never changed, whoever asks",
  async (table) => {
    for (const change of [`delete from signalbox.${table}`, `truncate signalbox.${table}`])
      await expect(readRows(opened.made.url, change)).rejects.toThrow(
        /restrict|append-only|never|kept|change/i,
      );
  },
);

test("a tenant whose signals cannot be learnt from keeps no other waiting", async () => {
  await seedTenant(opened.engine.database, "broken");
  await readRows(
    opened.made.url,
    `insert into signalbox.sap_signals (tenant_id, kind, capability, territory, fingerprint, signal)
     values ('broken', 'outcome', 'ask', '', sha256('x'), 'no signal')`,
  );
  await finished("consult.align", {}, { territory: "waiting" });
  const failures: unknown[] = [];
  await waitUntil(async () => {
    await learnFromSignals(opened.engine, (reason) => failures.push(reason));
    const { rows } = await listAggregates(opened.engine, operator, { by: "territory", territory: "waiting" });
    return failures.length > 0 && rows.length > 0;
  });
  expect(failures[0]).toBeInstanceOf(SyntaxError);
});
