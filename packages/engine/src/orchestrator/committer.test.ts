import { DatabaseError } from "@signalbox/db";
import { expect, test } from "vitest";
import type { BatchOutcome } from "./batch.ts";
import { createCommitter } from "./committer.ts";
import type { Work } from "./work.ts";

/** Takes nothing off the queue until it is told to; each batch that runs is kept. */
function held({ longestQueue, largestBatch }: { longestQueue: number; largestBatch: number }) {
  const batches: string[][] = [];
  const opened = Promise.withResolvers<void>();
  const committer = createCommitter({
    lanes: 1,
    largestBatch,
    longestQueue,
    run: async (works) => {
      await opened.promise;
      batches.push(works.map(({ key }) => key.tenantId));
      return {
        outcomes: works.map(() => ({ ok: true, value: undefined })),
        wanted: [],
      } satisfies BatchOutcome;
    },
    onWanted: () => undefined,
    onAway: () => undefined,
  });
  const ask = (tenantId: string, index = 0) =>
    committer.commit(workOf(tenantId, index)).then(
      () => "done" as const,
      () => "refused" as const,
    );
  return { ask, batches, open: () => opened.resolve() };
}

const workOf = (tenantId: string, index: number): Work =>
  ({ key: { tenantId, pipelineId: `p-${index}` } }) as unknown as Work;

test("LIMIT-5 a tenant that presses fills half of the queue, and whoever comes then is taken", async () => {
  const { ask, open } = held({ longestQueue: 100, largestBatch: 10 });
  const loud = Array.from({ length: 500 }, (_, index) => ask("loud", index));
  const quiet = Array.from({ length: 20 }, (_, index) => ask("quiet", index));
  open();
  const ends = await Promise.all(loud);
  expect(ends.filter((end) => end === "done")).toHaveLength(50);
  expect(new Set(await Promise.all(quiet))).toEqual(new Set(["done"]));
  expect(await ask("loud")).toBe("done");
});

test("LIMIT-5 a tenant's burst holds another's single work up for one batch, however long it is", async () => {
  const { ask, batches, open } = held({ longestQueue: 20_000, largestBatch: 10 });
  const loud = Array.from({ length: 5_000 }, (_, index) => ask("loud", index));
  await Promise.resolve();
  const quiet = ask("quiet");
  open();
  await Promise.all([...loud, quiet]);
  expect(batches.findIndex((batch) => batch.includes("quiet"))).toBeLessThanOrEqual(1);
  expect(batches).toHaveLength(501);
});

test("a batch that was overtaken is begun anew, whole, until it is its turn", async () => {
  const ran: number[] = [];
  const committer = createCommitter({
    lanes: 1,
    largestBatch: 10,
    longestQueue: 100,
    run: (works) => {
      ran.push(works.length);
      if (ran.length < 8) return Promise.reject(new DatabaseError("OVERTAKEN", "others came first"));
      return Promise.resolve({ outcomes: works.map(() => ({ ok: true, value: "done" })), wanted: [] });
    },
    onWanted: () => undefined,
    onAway: () => undefined,
  });
  const asked = Array.from({ length: 3 }, (_, index) => committer.commit(workOf("east", index)));
  expect(await Promise.all(asked)).toEqual(["done", "done", "done"]);
  expect(ran).toEqual(Array.from({ length: 8 }, () => 3));
});
