import { expect, test } from "vitest";
import { alertPages } from "./alert-queries.ts";

test("what holds is read anew each minute, for a condition may end by the clock alone, without any news", () => {
  expect(alertPages().refetchInterval).toBe(60_000);
});
