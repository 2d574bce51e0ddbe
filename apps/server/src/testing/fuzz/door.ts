import type { Random } from "../seeded-random.ts";
import type { Corpus } from "./corpus.ts";
import type { Findings } from "./findings.ts";
import type { LiveNames } from "./live-names.ts";

/** Whose request it is: the headers that say so, none for nobody's. */
type Credential = Readonly<Record<string, string>>;

export type Yard = {
  port: number;
  corpus: Corpus;
  live: LiveNames;
  findings: Findings;
  credentials: readonly Credential[];
};

/** One worker of a door, with chances of its own; `next` sends something and says how many bodies or frames it was. */
export type Worker = { next: () => Promise<number>; close: () => void };
export type Door = {
  name: string;
  share: number;
  workers: number;
  open: (yard: Yard, random: Random) => Worker;
};
