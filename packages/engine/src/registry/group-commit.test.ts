import { setImmediate as nextTurn } from "node:timers/promises";
import { SignalboxError } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groupCommit } from "./group-commit.ts";

/** A write that a test lets go on. */
function heldWrite() {
  const groups: number[][] = [];
  const releases: (() => void)[] = [];
  return {
    groups,
    releases,
    /** Returns when the next write, if there is one, is under way. */
    release: async () => {
      releases.shift()?.();
      await nextTurn();
    },
    write: async (items: readonly number[]) => {
      groups.push([...items]);
      await new Promise<void>((resolve) => {
        releases.push(resolve);
      });
      return items.map((item) => item * 10);
    },
  };
}
const settled = (promises: Promise<number>[]) =>
  Promise.all(promises.map((promise) => promise.catch((error: unknown) => error)));

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

/** One under way, then 19 together, then five who came meanwhile. */
async function withCrowd(forMs: number) {
  const held = heldWrite();
  const { submit } = groupCommit({
    write: held.write,
    most: 100,
    bound: 100,
    gather: { share: 0.63, forMs },
  });
  const first = numbers(0, 20).map((item) => submit(item));
  await held.release();
  const meanwhile = numbers(20, 25).map((item) => submit(item));
  await held.release();
  await Promise.all(first);
  return { ...held, submit, meanwhile };
}

describe("a group commit", () => {
  test("writes one alone at once, and what comes meanwhile together", async () => {
    const held = heldWrite();
    const { submit } = groupCommit({ write: held.write, most: 3, bound: 100 });
    const answers = [1, 2, 3, 4, 5].map((item) => submit(item));
    expect(held.groups).toEqual([[1]]);
    await held.release();
    expect(await answers[0]).toBe(10);
    expect(held.groups).toEqual([[1], [2, 3, 4]]);
    await held.release();
    await held.release();
    expect(await Promise.all(answers)).toEqual([10, 20, 30, 40, 50]);
    expect(held.groups).toEqual([[1], [2, 3, 4], [5]]);
  });

  test("refuses at once who comes to a full queue, and goes on when there is room", async () => {
    const held = heldWrite();
    const { submit } = groupCommit({ write: held.write, most: 10, bound: 2 });
    const answers = [1, 2, 3].map((item) => submit(item));
    await expect(submit(4)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    await held.release();
    const late = submit(5);
    await held.release();
    await held.release();
    expect(await Promise.all(answers)).toEqual([10, 20, 30]);
    expect(await late).toBe(50);
  });

  test("property: whichever items are poisoned fail, and no others", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (poisoned) => {
        const written: number[] = [];
        const { submit } = groupCommit<number, number>({
          most: 16,
          bound: 100,
          write: async (items) => {
            await Promise.resolve();
            if (items.some((item) => poisoned[item])) throw new Error("poisoned");
            written.push(...items);
            return items;
          },
        });
        const answers = await settled(poisoned.map((_, index) => submit(index)));
        expect(answers.map((answer) => answer instanceof Error)).toEqual(poisoned);
        expect(written).toEqual(poisoned.flatMap((bad, index) => (bad ? [] : [index])));
      }),
    );
  });

  test.each([
    ["the driver says it", Object.assign(new Error("gone"), { code: "ECONNREFUSED" })],
    ["a command said it", new SignalboxError("UNAVAILABLE", "The database does not answer.")],
  ])("fails all at once when the database is away: %s", async (_, reason) => {
    let writes = 0;
    const { submit } = groupCommit<number, number>({
      most: 100,
      bound: 100,
      write: () => {
        writes += 1;
        return Promise.reject(reason);
      },
    });
    const answers = await settled([1, 2, 3, 4, 5, 6, 7, 8].map((item) => submit(item)));
    expect(new Set(answers)).toEqual(new Set([reason]));
    expect(writes).toBe(2);
  });

  test("goes on after a failure", async () => {
    let fail = true;
    const { submit } = groupCommit<number, number>({
      most: 1,
      bound: 10,
      write: (items) => {
        if (fail) return Promise.reject(new Error("once"));
        return Promise.resolve(items);
      },
    });
    await expect(submit(1)).rejects.toThrow("once");
    fail = false;
    expect(await submit(2)).toBe(2);
  });

  describe("that gathers", () => {
    const hour = 3_600_000;

    test("begins when most of a crowd are there", async () => {
      const { groups, release, submit, meanwhile } = await withCrowd(hour);
      expect(groups).toEqual([[0], numbers(1, 20)]);
      // 24 are a crowd, of which 15 are waited for.
      const again = numbers(25, 34).map((item) => submit(item));
      await nextTurn();
      expect(groups).toHaveLength(2);
      again.push(submit(34));
      await nextTurn();
      expect(groups).toEqual([[0], numbers(1, 20), numbers(20, 35)]);
      const late = submit(35);
      await release();
      expect(await Promise.all([...meanwhile, ...again])).toEqual(numbers(20, 35).map((item) => item * 10));
      // 16 are one still, of which ten are waited for.
      const others = numbers(36, 44).map((item) => submit(item));
      await nextTurn();
      expect(groups).toHaveLength(3);
      others.push(submit(44));
      await nextTurn();
      await release();
      expect(await Promise.all([late, ...others])).toEqual(numbers(35, 45).map((item) => item * 10));
      expect(groups).toEqual([[0], numbers(1, 20), numbers(20, 35), numbers(35, 45)]);
    });

    test("begins with who is there once its time is over", async () => {
      const { groups, releases, meanwhile } = await withCrowd(1);
      while (groups.length < 3) await nextTurn();
      releases.shift()?.();
      expect(await Promise.all(meanwhile)).toEqual(numbers(20, 25).map((item) => item * 10));
      expect(groups).toEqual([[0], numbers(1, 20), numbers(20, 25)]);
    });

    test("lets a few wait for nobody", async () => {
      const held = heldWrite();
      const { submit } = groupCommit({
        write: held.write,
        most: 100,
        bound: 100,
        gather: { share: 0.63, forMs: hour },
      });
      const answers = numbers(0, 8).map((item) => submit(item));
      await held.release();
      answers.push(submit(8));
      await held.release();
      expect(held.groups).toEqual([[0], numbers(1, 8), [8]]);
      await held.release();
      expect(await Promise.all(answers)).toEqual(numbers(0, 9).map((item) => item * 10));
    });
  });
});
