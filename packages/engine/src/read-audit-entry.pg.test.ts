import { SignalboxError } from "@signalbox/contracts";
import type { PipelineState } from "@signalbox/core";
import { type AuditEntry, listAuditEntries } from "@signalbox/db";
import { readRows } from "@signalbox/db/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chainOf, fingerprintOf } from "./pipeline-chain.ts";
import { getAuditEntry, proveAuditEntry } from "./read-audit-entry.ts";
import { standingOf, stateOf, submitTemplate } from "./testing/pipelines.ts";
import { prepare } from "./testing/prepare.ts";
import { resultFor } from "./testing/results.ts";
import { startAgent } from "./testing/scripted-agent.ts";
import { askedBy, openTestEngine, type TestEngine } from "./testing/test-engine.ts";
import { waitUntil } from "./testing/wait-until.ts";

let opened: TestEngine;
let pipelineId: string;
let entries: AuditEntry[];
let state: PipelineState;
const auditor = askedBy("auditor");

beforeAll(async () => {
  opened = await openTestEngine();
  const { engine } = opened;
  await prepare(engine);
  const agent = await startAgent({
    engine: () => engine,
    asked: askedBy("agent"),
    packId: "builder",
    instanceId: "builder-1",
    work: (envelope) => resultFor(envelope),
  });
  pipelineId = await submitTemplate(engine, "chain");
  await waitUntil(async () => (await standingOf(engine, pipelineId))["pipeline"] === "COMPLETED");
  await agent.stop();
  state = await stateOf(engine, pipelineId);
  const page = await engine.database.inTenant("default", (tx) =>
    listAuditEntries(tx, { pipelineId, limit: 100 }),
  );
  entries = page.entries.toReversed();
});
afterAll(() => opened.end());

const revisionOf = ({ payload }: AuditEntry): number => Number(JSON.parse(payload).pipelineRevision ?? 0);
const inOrder = () =>
  entries
    .filter((entry) => revisionOf(entry) > 0)
    .toSorted((one, other) => revisionOf(one) - revisionOf(other));
const idAt = (place: number) => inOrder().at(place)?.auditId ?? "";

test("an entry is read by its id, by whoever may read the record of its tenant, and by nobody else", async () => {
  const { engine } = opened;
  expect(await getAuditEntry(engine, auditor, idAt(0))).toMatchObject({ auditId: idAt(0), pipelineId });
  for (const read of [getAuditEntry, proveAuditEntry]) {
    await expect(read(engine, askedBy("operator"), idAt(0))).rejects.toMatchObject({ code: "FORBIDDEN" });
    for (const [asked, auditId] of [
      [askedBy("auditor", "elsewhere"), idAt(0)],
      [auditor, "0190b3a8-8f0f-7bbb-8888-0123456789ab"],
      [auditor, "no id\0"],
    ] as const)
      await expect(read(engine, asked, auditId)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
});

test("the chain of a pipeline's entries holds from the first to the last, and goes from one to the next", async () => {
  const { engine } = opened;
  const proofs = await Promise.all(inOrder().map(({ auditId }) => proveAuditEntry(engine, auditor, auditId)));
  expect(proofs.length).toBeGreaterThan(10);
  for (const [index, { chain, unchained }] of proofs.entries()) {
    expect(unchained).toBeUndefined();
    expect(chain).toMatchObject({ faults: [], entries: proofs.length, own: { revision: index + 1 } });
    expect(chain?.previous).toEqual(proofs[index - 1]?.chain?.own);
    expect(chain?.next).toEqual(proofs[index + 1]?.chain?.own);
  }
});

test("what no pipeline is made of has a fingerprint and no chain", async () => {
  const { engine } = opened;
  const all = await engine.database.inTenant("default", (tx) => listAuditEntries(tx, { limit: 100 }));
  const alone = all.entries.find((entry) => entry.pipelineId === null);
  if (alone === undefined) throw new Error("no entry outside a pipeline");
  expect(await proveAuditEntry(engine, auditor, alone.auditId)).toEqual({
    fingerprint: fingerprintOf(alone),
    unchained: "no-revision",
    chain: undefined,
  });
});

test("of a pipeline that began in a month which retention removed it is said so, and not that revisions are missing", async () => {
  const { engine, made } = opened;
  const since = (moment: string) =>
    readRows(
      made.url,
      `update signalbox.pipelines set created_at = ${moment} where pipeline_id = '${pipelineId}'`,
    );
  await since("created_at - interval '2 years'");
  const proof = await proveAuditEntry(engine, auditor, idAt(3));
  await since("created_at + interval '2 years'");
  expect(proof).toMatchObject({ unchained: "removed", chain: undefined });
});

test("a record that is longer than one check reads is said to be", async () => {
  const proof = await proveAuditEntry(opened.engine, auditor, idAt(0), { most: 5 });
  expect(proof).toMatchObject({ unchained: "too-long", chain: undefined });
});

const judged = (tampered: AuditEntry[], revision = state.revision) =>
  chainOf(tampered, idAt(0), { revision, state })?.faults ?? ["no chain"];
function altered(place: number, alter: (payload: string) => string): AuditEntry[] {
  const line = inOrder();
  const entry = line[place];
  if (entry === undefined) throw new Error(`no entry ${place}`);
  return line.with(place, { ...entry, payload: alter(entry.payload) });
}

describe("a record that was tampered with", () => {
  test("holds in whatever order it is read, as long as nobody touched it", () => {
    expect(judged(inOrder())).toEqual([]);
    expect(judged(inOrder().toReversed())).toEqual([]);
  });

  test("an entry that is missing, from the middle or from the end, is noticed", () => {
    expect(judged(inOrder().toSpliced(4, 1))).toEqual([
      "revision 5 is missing; 6 comes after 4",
      expect.stringContaining("do not follow: gap"),
    ]);
    expect(judged(inOrder().slice(0, -1)).join()).toContain("its record ends at");
  });

  test("an entry that stands there twice is noticed", () => {
    const twice = inOrder()[3];
    if (twice === undefined) throw new Error("no fourth entry");
    expect(judged([...inOrder(), twice])[0]).toBe("revision 4 is on record twice");
  });

  test("a state that was written over is noticed by the other state it gives", () => {
    const place = inOrder().findIndex(({ payload }) => payload.includes('"COMPLETED"'));
    expect(place).toBeGreaterThan(0);
    expect(judged(altered(place, (payload) => payload.replaceAll('"COMPLETED"', '"FAILED"')))).toEqual([
      expect.stringMatching(/another state|cannot be read/),
    ]);
  });

  test("a reason that was written over changes every digest from there on, and none before", () => {
    const rewritten = altered(4, (payload) => payload.replace('"rationale":"', '"rationale":"not '));
    expect(rewritten[4]?.payload).not.toBe(inOrder()[4]?.payload);
    const digests = (of: AuditEntry[]) =>
      inOrder().map(({ auditId }) => chainOf(of, auditId, { revision: state.revision, state })?.own.digest);
    const [before, after] = [digests(inOrder()), digests(rewritten)];
    expect(after.slice(0, 4)).toEqual(before.slice(0, 4));
    for (const [index, digest] of after.slice(4).entries()) expect(digest).not.toBe(before[index + 4]);
  });
});

test("the refusal of an entry names no more of it than was asked for", async () => {
  const asked = getAuditEntry(opened.engine, auditor, "x".repeat(5_000));
  await expect(asked).rejects.toBeInstanceOf(SignalboxError);
  await expect(asked).rejects.toMatchObject({ detail: `There is no audit entry "${"x".repeat(100)}".` });
});
