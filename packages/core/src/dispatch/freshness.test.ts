import { create } from "@bufbuild/protobuf";
import { durationFromMs, timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { FreshnessPolicySchema, type Ref, RefSchema } from "@signalbox/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { blockText, judgeFreshness, type RefreshOutcome, refsToRefresh } from "./freshness.ts";

const NOW = 1_772_000_000_000;
const MINUTE = 60_000;
const policy = create(FreshnessPolicySchema, { maxRefStaleness: durationFromMs(5 * MINUTE) });
const strict = create(FreshnessPolicySchema, {
  maxRefStaleness: durationFromMs(5 * MINUTE),
  requireDigest: true,
});
const ref = (uriOrLocator: string, age: number | undefined, digest = "sha256:1"): Ref =>
  create(RefSchema, {
    uriOrLocator,
    digest,
    ...(age === undefined ? {} : { fetchedAt: timestampFromMs(NOW - age) }),
  });
const failed: RefreshOutcome = { kind: "failed", why: "the source did not answer" };
const refreshed = (digest: string): RefreshOutcome => ({ kind: "refreshed", digest, fetchedAt: NOW });
const stale = [ref("a", 6 * MINUTE)];
const accepted = (uriOrLocator: string, digest = "sha256:1") => ({ uriOrLocator, digest });
const confirmed = (outcome: RefreshOutcome) => judgeFreshness(stale, strict, [outcome], NOW, [accepted("a")]);

test("DSP-70: without a policy nothing is stale; with one, what is older than it allows or was never fetched is", () => {
  const refs = [
    ref("old", 6 * MINUTE),
    ref("new", 5 * MINUTE),
    ref("never", undefined),
    ref("ahead", -60 * MINUTE),
  ];
  expect(refsToRefresh(refs, undefined, NOW)).toEqual([]);
  expect(refsToRefresh(refs, create(FreshnessPolicySchema), NOW)).toEqual([]);
  expect(refsToRefresh(refs, policy, NOW).map(({ uriOrLocator }) => uriOrLocator)).toEqual(["old", "never"]);
});

test("DSP-71: where a digest is required, a ref without one is fetched anew however young", () => {
  expect(refsToRefresh([ref("a", 0, "")], strict, NOW)).toHaveLength(1);
  expect(refsToRefresh([ref("a", 0, "")], policy, NOW)).toHaveLength(0);
});

test("DSP-72: a stale ref that was fetched anew travels with its new time and digest", () => {
  const decision = judgeFreshness([ref("fresh", 0), ...stale], policy, [refreshed("sha256:2")], NOW);
  expect(decision).toMatchObject({
    kind: "continue",
    degraded: false,
    checks: [
      { uriOrLocator: "fresh", wasStale: false, refreshSucceeded: false, dispatchedWithDegraded: false },
      { uriOrLocator: "a", wasStale: true, refreshSucceeded: true, dispatchedWithDegraded: false },
    ],
  });
  const [, renewed] = decision.kind === "continue" ? decision.refs : [];
  expect(renewed?.digest).toBe("sha256:2");
  expect(renewed?.fetchedAt && timestampMs(renewed.fetchedAt)).toBe(NOW);
  expect(stale[0]?.digest).toBe("sha256:1");
});

test("DSP-73: one that could not be fetched travels degraded, up to ten times the allowed age", () => {
  expect(judgeFreshness(stale, policy, [failed], NOW)).toMatchObject({
    kind: "continue",
    degraded: true,
    refs: [{ uriOrLocator: "a" }],
    checks: [{ wasStale: true, refreshSucceeded: false, dispatchedWithDegraded: true }],
  });
  expect(judgeFreshness([ref("a", 50 * MINUTE)], policy, [failed], NOW).kind).toBe("continue");
  expect(judgeFreshness([ref("a", undefined)], policy, [failed], NOW).kind).toBe("continue");
  expect(judgeFreshness([ref("a", 50 * MINUTE + 1)], policy, [failed], NOW)).toMatchObject({
    kind: "block",
    blocked: [{ uriOrLocator: "a", reason: "too-stale" }],
    checks: [{ wasStale: true, dispatchedWithDegraded: false }],
  });
});

test.each<[string, Ref, RefreshOutcome, string]>([
  ["could not be fetched", ref("a", 6 * MINUTE), failed, "unconfirmed"],
  ["comes without a digest", ref("a", 6 * MINUTE), refreshed(""), "unconfirmed"],
  ["has another digest now", ref("a", 6 * MINUTE), refreshed("sha256:2"), "digest-differs"],
])("DSP-74: where a digest is required, a ref blocks that %s", (_, read, outcome, reason) => {
  const decision = judgeFreshness([read], strict, [outcome], NOW);
  expect(decision).toMatchObject({ kind: "block", blocked: [{ uriOrLocator: "a", reason }] });
  expect(decision.kind === "block" && decision.blocked.map(blockText).join()).toMatch(
    /^a: its content .+ \(.+\)$/,
  );
});

test("DSP-74: where a digest is required, one that was confirmed passes, also for a ref that had none", () => {
  expect(judgeFreshness(stale, strict, [refreshed("sha256:1")], NOW)).toMatchObject({ kind: "continue" });
  expect(judgeFreshness([ref("a", 0, "")], strict, [refreshed("sha256:9")], NOW)).toMatchObject({
    kind: "continue",
    refs: [{ digest: "sha256:9" }],
  });
});

test("DSP-76: what a person accepted travels degraded, and nothing else for it", () => {
  const ancient = [ref("a", 51 * MINUTE), ref("b", 51 * MINUTE)];
  const both = [failed, failed];
  expect(judgeFreshness(ancient, policy, both, NOW, [accepted("a"), accepted("b")])).toMatchObject({
    kind: "continue",
    degraded: true,
    refs: ancient,
    checks: [{ wasStale: true, refreshSucceeded: false, dispatchedWithDegraded: true }, {}],
  });
  expect(judgeFreshness(ancient, policy, both, NOW, [accepted("a")])).toMatchObject({
    kind: "block",
    blocked: [{ uriOrLocator: "b" }],
  });
  expect(
    judgeFreshness(ancient, policy, both, NOW, [accepted("a"), accepted("b", "sha256:0")]),
  ).toMatchObject({ blocked: [{ uriOrLocator: "b" }] });
});

test("DSP-76: where a digest is required, what could not be confirmed may be accepted, and other content may not", () => {
  expect(confirmed(failed)).toMatchObject({ kind: "continue", degraded: true });
  expect(confirmed(refreshed(""))).toMatchObject({
    kind: "continue",
    checks: [{ refreshSucceeded: true, dispatchedWithDegraded: true }],
  });
  expect(confirmed(refreshed("sha256:1"))).toMatchObject({ kind: "continue", degraded: false });
  expect(confirmed(refreshed("sha256:2"))).toMatchObject({ blocked: [{ reason: "digest-differs" }] });
});

test("DSP-75: one ref that blocks keeps all from travelling, and every one that blocks is named", () => {
  const decision = judgeFreshness(
    [...stale, ref("b", 6 * MINUTE), ref("c", 0)],
    strict,
    [failed, failed],
    NOW,
  );
  expect(decision).toMatchObject({ kind: "block", blocked: [{ uriOrLocator: "a" }, { uriOrLocator: "b" }] });
  expect(decision.checks).toHaveLength(3);
});

test("DSP-75: what came of a fetch is told of the ref it was made for", () => {
  const refs = [ref("a", 6 * MINUTE), ref("b", 0), ref("c", 6 * MINUTE)];
  expect(judgeFreshness(refs, policy, [failed, refreshed("sha256:3")], NOW)).toMatchObject({
    checks: [
      { uriOrLocator: "a", refreshSucceeded: false, dispatchedWithDegraded: true },
      { uriOrLocator: "b", wasStale: false },
      { uriOrLocator: "c", refreshSucceeded: true, dispatchedWithDegraded: false },
    ],
  });
});

test("DSP-75: each ref has a check of its own, in order, and only a stale one that travels is degraded", () => {
  const ages = fc.array(fc.option(fc.integer({ min: -MINUTE, max: 100 * MINUTE }), { nil: undefined }), {
    maxLength: 6,
  });
  fc.assert(
    fc.property(ages, fc.boolean(), fc.boolean(), (given, requireDigest, works) => {
      const refs = given.map((age, index) => ref(`${index}`, age));
      const rules = requireDigest ? strict : policy;
      const outcomes = refsToRefresh(refs, rules, NOW).map(() => (works ? refreshed("sha256:1") : failed));
      const decision = judgeFreshness(refs, rules, outcomes, NOW);
      expect(decision.checks.map(({ uriOrLocator }) => uriOrLocator)).toEqual(
        given.map((_, index) => `${index}`),
      );
      expect(decision.checks.filter(({ wasStale }) => wasStale)).toHaveLength(outcomes.length);
      const degraded = decision.checks.some((check) => check.dispatchedWithDegraded);
      expect(degraded).toBe(decision.kind === "continue" && decision.degraded);
    }),
  );
});
