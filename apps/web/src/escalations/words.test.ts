import { expect, test } from "vitest";
import { causeOf, doesWhat } from "./words.ts";

const about = (...locators: string[]) => ({
  cause: "dispatch-refused" as const,
  staleRefs: locators.map((uriOrLocator) => ({ uriOrLocator, digest: "" })),
});

test("a question about stale references says so, and what comes of trying again and of accepting", () => {
  expect(causeOf(about("src/a.ts"))).toBe("References cannot be trusted");
  expect(doesWhat("retry", about("src/a.ts"))).toMatch(/fetched anew, and the stage is sent if they can be/);
  expect(doesWhat("accept", about("src/a.ts"))).toMatch(/as they are, marked as degraded unless/);
});

test("any other question has the words of its cause and of its options", () => {
  expect(causeOf(about())).toBe("Nobody to send it to");
  expect(doesWhat("retry", about())).toBe("The stage is sent once more, outside its retries.");
});
