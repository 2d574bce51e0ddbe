import { expect, test } from "vitest";
import { textsIn } from "./kept-texts.ts";

test("of what was kept of a form its texts are read, and nothing else", () => {
  expect(textsIn('{"comment":"so","option":7,"more":{"x":"y"}}')).toEqual({ comment: "so" });
  expect([undefined, "{", "null", "7", "[]"].map(textsIn)).toEqual([{}, {}, {}, {}, {}]);
});
