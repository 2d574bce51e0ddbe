import { expect, test } from "vitest";
import { simulationWords } from "./simulation-words.ts";

const none = { looked: 0, same: 0, elsewhere: 0, undecidable: 0, unreadable: 0 };

test("what nobody can say is told apart from what changes, and what is not there is not told", () => {
  expect(simulationWords(none)).toBe("No decision is on record yet.");
  expect(simulationWords({ ...none, looked: 3, same: 2, elsewhere: 1 })).toBe(
    "Of 3 decisions 1 would come out otherwise, 2 as before.",
  );
  expect(simulationWords({ ...none, looked: 4, same: 1, undecidable: 2, unreadable: 1 })).toBe(
    "Of 4 decisions 0 would come out otherwise, 1 as before. Of 2 nobody can say: they depend on packs of which nothing was written down then. 1 tells too little to be taken again.",
  );
});
