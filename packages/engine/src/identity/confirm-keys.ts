import { SignalboxError } from "@signalbox/contracts";
import { type BatchTransaction, findCountingKeys } from "@signalbox/db";

type ByKey = { readonly unconfirmedKey: string | undefined };

/** What a transaction has to ask for before it is committed. */
export const unconfirmedKeysOf = (items: readonly ByKey[]): string[] => [
  ...new Set(items.flatMap(({ unconfirmedKey }) => unconfirmedKey ?? [])),
];

export const isConfirmed = ({ unconfirmedKey }: ByKey, counting: ReadonlySet<string>): boolean =>
  unconfirmedKey === undefined || counting.has(unconfirmedKey);

const asked = new WeakMap<BatchTransaction, Map<string, Promise<boolean>>>();

/** The same for one of a batch: whoever asks for the same key in a transaction gets the same answer, from one statement. */
export function isCounting(tx: BatchTransaction, unconfirmedKey: string | undefined): Promise<boolean> {
  if (unconfirmedKey === undefined) return Promise.resolve(true);
  const known = asked.get(tx) ?? new Map<string, Promise<boolean>>();
  asked.set(tx, known);
  const asking =
    known.get(unconfirmedKey) ??
    findCountingKeys(tx, [unconfirmedKey]).then((counting) => counting.has(unconfirmedKey));
  known.set(unconfirmedKey, asking);
  return asking;
}

/** Thrown in a transaction, so that nothing of it is kept: some of those whom it is for may not ask for anything. */
export class KeysNoLongerCount extends Error {
  readonly #counting: ReadonlySet<string>;

  constructor(counting: ReadonlySet<string>) {
    super("a key was revoked, or its time ended, after it was looked up");
    this.#counting = counting;
  }

  isOf(item: ByKey): boolean {
    return !isConfirmed(item, this.#counting);
  }
}

export const keyNoLongerCounts = () =>
  new SignalboxError("UNAUTHENTICATED", "The key is unknown, expired or revoked.");
