import { expect, test } from "vitest";
import { readDocument, readPublishedDocument } from "./document-kinds.ts";
import { findUnfitIds } from "./unfit-ids.ts";

const template = (stageId: string) => `pipeline_templates:
  version: "1.0.0"
  templates:
    - template_id: build
      name: Build it
      description: "of\\u202Ecourse"
      stages:
        - stage_id: ${stageId}
          stage_name: Build
          task_type: build
          required: true
      policy: { failure_strategy: PAUSE }
`;

test("DOC-37 DOC-30 an id that looks like another is refused by its line, and read where it was published", () => {
  const text = template(`"build\\u202Egpj"`);
  expect(readDocument("pipeline-templates", text)).toMatchObject({
    kind: "refused",
    faults: [
      {
        line: 8,
        rule: "format",
        message: expect.stringMatching(/^holds U\+202E at character 6; an id begins/),
      },
    ],
  });
  expect(readPublishedDocument("pipeline-templates", text).kind).toBe("valid");
  expect(readDocument("pipeline-templates", template("build")).kind).toBe("valid");
});

test("DOC-37 a policy's ids too, in lists and wherever they stand; its texts are no ids", () => {
  const unseen = "a\u200Bb";
  const said = {
    routes: [{ task_type: unseen, allowed_pack_ids: ["a", unseen], preferred_pack_id: ".." }],
    sap: {
      principles: [{ principle: unseen, note: unseen }],
      issuers: [{ agent_id: unseen }],
      playbooks: [unseen, " north", "north\n", "north works", ""].map((territory) => ({ territory })),
    },
    handoffs: [{ to_task_types: [unseen] }],
    stages: [{ depends_on_stages: [unseen], name: unseen }],
  };
  expect(findUnfitIds(said).map(({ path }) => path.join("."))).toEqual([
    "routes.0.task_type",
    "routes.0.allowed_pack_ids.1",
    "routes.0.preferred_pack_id",
    "sap.principles.0.principle",
    "sap.issuers.0.agent_id",
    "sap.playbooks.0.territory",
    "sap.playbooks.1.territory",
    "sap.playbooks.2.territory",
    "handoffs.0.to_task_types.0",
    "stages.0.depends_on_stages.0",
  ]);
  for (const value of [undefined, null, 7, "a", [], { task_type: "a b" }, { stage_id: { id: 7 } }])
    expect(findUnfitIds(value)).toEqual([]);
});
