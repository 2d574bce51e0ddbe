import { ArtifactAction } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { summarizePipeline } from "./summarize.ts";
import { stage } from "./testing/definitions.ts";
import { Run } from "./testing/run.ts";

test("SUM-1 artifacts, decisions and risks in stage order; of one path, the last word", () => {
  const run = new Run([stage("a"), stage("b", { dependsOn: ["a"] })]);
  run.send("a").report("a", {
    init: {
      artifacts: [{ path: "x", action: ArtifactAction.CREATED }, { path: "y" }],
      contextOut: { decisionsMade: [{ decisionId: "1" }], risksIdentified: ["r"] },
    },
  });
  run.now = 90;
  run.send("b").report("b", {
    init: {
      artifacts: [{ path: "x", action: ArtifactAction.MODIFIED }],
      contextOut: { decisionsMade: [{ decisionId: "2" }], risksIdentified: ["r", "s"] },
    },
  });
  expect(summarizePipeline(run.state, 500)).toMatchObject({
    artifacts: [{ path: "x", action: ArtifactAction.MODIFIED }, { path: "y" }],
    decisions: [{ decisionId: "1" }, { decisionId: "2" }],
    risks: ["r", "s"],
    totalMs: 90,
  });
});
