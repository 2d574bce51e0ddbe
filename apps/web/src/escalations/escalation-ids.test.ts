import { expect, test } from "vitest";
import { partsWithEscalations } from "./escalation-ids.ts";

const id = "0190b3a8-8f0f-7bbb-8888-0123456789ab";

test("each id of a question in a text is a part of its own, and nothing else is", () => {
  expect(partsWithEscalations(`It waits: ${id}-e1, ${id}-e12.`)).toEqual([
    { at: 0, words: "It waits: " },
    { at: 10, words: `${id}-e1`, escalationId: `${id}-e1`, name: "question 1" },
    { at: 49, words: ", " },
    { at: 51, words: `${id}-e12`, escalationId: `${id}-e12`, name: "question 12" },
    { at: 91, words: "." },
  ]);
  expect(partsWithEscalations(`Pipeline ${id} ended`)).toEqual([{ at: 0, words: `Pipeline ${id} ended` }]);
  expect(partsWithEscalations("")).toEqual([]);
});
