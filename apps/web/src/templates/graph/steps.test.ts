import { expect, test } from "vitest";
import { readTemplates } from "../template-graph.ts";
import { layOut } from "../template-layout.ts";
import { placeAtHeight, stepFrom } from "./steps.ts";

const [template] = readTemplates({
  pipeline_templates: {
    templates: [
      {
        stages: [
          { stage_id: "begin" },
          { stage_id: "end", depends_on_stages: ["middle", "other"] },
          { stage_id: "middle", depends_on_stages: ["begin"] },
          { stage_id: "other", depends_on_stages: ["begin"] },
        ],
      },
    ],
  },
}).templates;
if (template === undefined) throw new Error("no template");
const layout = layOut(template);
const step = (from: string, to: Parameters<typeof stepFrom>[3]) =>
  template.stages[
    stepFrom(
      template,
      layout,
      template.stages.findIndex(({ id }) => id === from),
      to,
    ) ?? -1
  ]?.id;

test.each([
  ["begin", "right", "middle"],
  ["middle", "right", "end"],
  ["end", "left", "middle"],
  ["middle", "down", "other"],
  ["other", "up", "middle"],
  ["middle", "up", undefined],
  ["end", "right", undefined],
  ["begin", "next", "end"],
  ["other", "next", undefined],
  ["begin", "previous", undefined],
] as const)("from %s %s is %s", (from, way, to) => {
  expect(step(from, way)).toBe(to);
});

test("a block let go above another of its column comes before it in the document, below it behind", () => {
  const [, , middle, other] = layout.boxes;
  expect(placeAtHeight(layout, 3, (middle?.y ?? 0) - 10)).toBe(2);
  expect(placeAtHeight(layout, 2, (other?.y ?? 0) + 10)).toBe(3);
  expect(placeAtHeight(layout, 2, (middle?.y ?? 0) + 5)).toBe(2);
  expect(placeAtHeight(layout, 0, 900)).toBe(0);
});
