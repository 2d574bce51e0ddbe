import fc from "fast-check";
import { expect, test } from "vitest";
import { openTargets, readTemplates, wayBetween } from "./template-graph.ts";

/** Stages by their places; each waits for some, and leads by an edge to others: circles and doubles among them. */
const graphs = fc.array(
  fc.record({
    waitsFor: fc.array(fc.nat(8), { maxLength: 3 }),
    edges: fc.array(fc.nat(8), { maxLength: 2 }),
  }),
  { minLength: 1, maxLength: 9 },
);

test("a stage may lead on to what it does not lead to yet and what does not lead to it", () => {
  fc.assert(
    fc.property(graphs, fc.nat(8), (graph, at) => {
      const stages = graph.map(({ waitsFor, edges }, index) => ({
        stage_id: `s${index}`,
        depends_on_stages: waitsFor.map((one) => `s${one}`),
        edges: edges.map((one) => ({ target_stage_id: `s${one}` })),
      }));
      const [template] = readTemplates({ pipeline_templates: { templates: [{ stages }] } }).templates;
      if (template === undefined) throw new Error("no template was read");
      const from = `s${at % graph.length}`;
      const { lines } = template;
      expect(openTargets(template, from)).toEqual(
        template.stages
          .map(({ id }) => id)
          .filter((id) => wayBetween(lines, id, from) === undefined)
          .filter((id) => !lines.some((line) => line.from === from && line.to === id)),
      );
    }),
  );
});
