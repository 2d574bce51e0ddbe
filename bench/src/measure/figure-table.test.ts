import { describe, expect, test } from "vitest";
import { type Reference, renderFigures } from "./figure-table.ts";

const verdict = (value: number, wanted: Reference["wanted"]) =>
  renderFigures([{ name: "ours", value, unit: "/s", against: { name: "theirs", value: 100, wanted } }])
    .split("\n")
    .at(-1)
    ?.split(" ")
    .at(-1);

describe("the table of figures", () => {
  test("says of each target whether it was reached", () => {
    expect(verdict(250, { ratioAtLeast: 2.5 })).toBe("reached");
    expect(verdict(249, { ratioAtLeast: 2.5 })).toBe("MISSED");
    expect(verdict(200, { ratioAtMost: 2 })).toBe("reached");
    expect(verdict(201, { ratioAtMost: 2 })).toBe("MISSED");
    expect(verdict(120, { differenceAtMost: 20 })).toBe("reached");
    expect(verdict(121, { differenceAtMost: 20 })).toBe("MISSED");
  });

  test("a figure that is not a number reaches nothing", () => {
    expect(verdict(Number.NaN, { ratioAtLeast: 1 })).toBe("MISSED");
    expect(verdict(Number.NaN, { ratioAtMost: 1 })).toBe("MISSED");
  });

  test("a figure for information has no verdict", () => {
    const [, line] = renderFigures([{ name: "a peer", value: 1234.5, unit: "/s" }]).split("\n");
    expect(line).toBe("a peer  1,235 /s");
  });
});
