import { randomInt } from "node:crypto";

/**
 * The ids of an attempt's events that are kept, as 32 bits each, and the run that each stands in. Two ids may have the same
 * mark: then both runs are named, and who looks into them sees which holds what. None that was added is ever missing.
 */
export type EventIds = {
  readonly size: number;
  /** The number of the last run that was noted, and its first id; 0 before the first. */
  readonly lastRun: number;
  readonly lastId: string;
  /** Runs in their order: one that was noted already changes nothing. An id's letters count alike in either case. */
  note(run: number, ids: readonly string[]): void;
  /** Whether there may be an event of this id. */
  has(id: string): boolean;
  /** Runs that may hold an event of this id; none where there is no such event. */
  runsOf(id: string): readonly number[];
};

const SMALLEST = 64;
const FULLEST = 0.75;
/** So that nobody outside can choose ids that all have one mark. */
const seed = randomInt(2 ** 32);

export function createEventIds(): EventIds {
  let marks = new Uint32Array(SMALLEST);
  let runs = new Uint32Array(SMALLEST);
  let size = 0;
  let lastRun = 0;
  let lastId = "";

  function put(mark: number, run: number): void {
    const last = marks.length - 1;
    let place = mark & last;
    while (marks[place] !== 0) place = (place + 1) & last;
    marks[place] = mark;
    runs[place] = run;
  }

  function grow(): void {
    const [olderMarks, olderRuns] = [marks, runs];
    marks = new Uint32Array(olderMarks.length * 2);
    runs = new Uint32Array(olderMarks.length * 2);
    for (const [place, mark] of olderMarks.entries()) if (mark !== 0) put(mark, olderRuns[place] ?? 0);
  }

  return {
    get size() {
      return size;
    },
    get lastRun() {
      return lastRun;
    },
    get lastId() {
      return lastId;
    },
    note(run, ids) {
      if (run <= lastRun) return;
      for (const id of ids) {
        if (size >= marks.length * FULLEST) grow();
        put(markOf(id), run);
        size += 1;
      }
      lastRun = run;
      lastId = ids[0] ?? "";
    },
    has(id) {
      const mark = markOf(id);
      const last = marks.length - 1;
      let place = mark & last;
      while (marks[place] !== 0 && marks[place] !== mark) place = (place + 1) & last;
      return marks[place] === mark;
    },
    runsOf(id) {
      const mark = markOf(id);
      const last = marks.length - 1;
      const found: number[] = [];
      for (let place = mark & last; marks[place] !== 0; place = (place + 1) & last) {
        const run = runs[place] ?? 0;
        if (marks[place] === mark && !found.includes(run)) found.push(run);
      }
      return found;
    },
  };
}

/**
 * FNV-1a with murmur's last step, which spreads what differs over all bits. Never 0, which says that a place is free. With
 * this bit a capital is its small letter, and a digit or hyphen is itself.
 */
function markOf(id: string): number {
  let hash = seed;
  for (let index = 0; index < id.length; index += 1)
    hash = Math.imul(hash ^ (id.charCodeAt(index) | 0x20), 0x01_00_01_93);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}
