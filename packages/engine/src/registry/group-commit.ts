import { SignalboxError } from "@signalbox/contracts";
import { isDatabaseAway } from "../transaction.ts";

export type GroupCommit<Item, Answer> = {
  /** Resolves after the commit that holds the item. */
  submit: (item: Item) => Promise<Answer>;
};

type Waiting<Item, Answer> = {
  item: Item;
  resolve: (answer: Answer) => void;
  reject: (reason: unknown) => void;
};

export type GroupCommitOptions<Item, Answer> = {
  /** Writes the items in one transaction and answers each, in their order. */
  write: (items: readonly Item[]) => Promise<readonly Answer[]>;
  /** Of one write. */
  most: number;
  /** Of all that wait; who comes then is refused at once, for a queue without a bound only hides that nobody keeps up. */
  bound: number;
  /** A group waits until so much of a crowd is there, and so many milliseconds at most; where nothing is said, not at all. */
  gather?: { readonly share: number; readonly forMs: number };
};

/** Fewer than these, in the last group and waiting, are no crowd: they wait for nobody. */
const CROWD = 16;

/**
 * What arrives while a write is under way is written together by the next one, so that a thousand callers cost a few
 * commits, and one caller alone waits for nobody.
 */
export function groupCommit<Item, Answer>({
  write,
  most,
  bound,
  gather: gathering,
}: GroupCommitOptions<Item, Answer>): GroupCommit<Item, Answer> {
  const queue: Waiting<Item, Answer>[] = [];
  let writing = false;
  let noteArrival: (() => void) | undefined;

  const drain = async () => {
    writing = true;
    while (queue.length > 0) {
      const group = queue.splice(0, most);
      await settle(group, write);
      await gather(group.length + queue.length);
    }
    writing = false;
  };

  /**
   * Who was just answered comes again, those who wait came while it was written: begun at once, the next group would be half
   * of a crowd, and so would every one after it, each at the price of a whole one. Where the process was busy meanwhile, its
   * time is up before it has looked at its sockets: whoever stands there already is taken along.
   */
  async function gather(crowd: number): Promise<void> {
    if (gathering === undefined) return;
    const { share, forMs } = gathering;
    const enough = Math.min(most, Math.floor(crowd * share));
    if (crowd < CROWD || queue.length === 0 || queue.length >= enough) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => setImmediate(resolve), forMs);
      noteArrival = () => {
        if (queue.length < enough) return;
        clearTimeout(timer);
        resolve();
      };
    });
    noteArrival = undefined;
  }

  return {
    submit: (item) =>
      new Promise((resolve, reject) => {
        if (queue.length >= bound) {
          reject(new SignalboxError("UNAVAILABLE", "Too much waits to be written. Try again in a moment."));
          return;
        }
        queue.push({ item, resolve, reject });
        if (writing) noteArrival?.();
        else void drain();
      }),
  };
}

/**
 * A group that fails is written again in halves, so that what fails by itself fails alone. A database that is away fails
 * all of them at once: halves would ask it again and again.
 */
async function settle<Item, Answer>(
  group: readonly Waiting<Item, Answer>[],
  write: GroupCommitOptions<Item, Answer>["write"],
): Promise<void> {
  const answers = await write(group.map(({ item }) => item)).catch((error: unknown) => ({ error }));
  if (!("error" in answers)) {
    for (const [index, { resolve, reject }] of group.entries()) {
      const answer = answers[index];
      if (answer === undefined) reject(new Error("a write answered fewer items than it was given"));
      else resolve(answer);
    }
    return;
  }
  const { error } = answers;
  if (group.length === 1 || isAway(error)) {
    for (const { reject } of group) reject(error);
    return;
  }
  const middle = group.length >> 1;
  await settle(group.slice(0, middle), write);
  await settle(group.slice(middle), write);
}

const isAway = (error: unknown) =>
  isDatabaseAway(error) || (error instanceof SignalboxError && error.code === "UNAVAILABLE");
