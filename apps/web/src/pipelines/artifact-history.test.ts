import { expect, test } from "vitest";
import { artifactsOf } from "./artifact-history.ts";

const artifact = (path: string, action: string, digest = "sha256:00") => ({ path, action, digest });
const stage = (stageId: string, ...artifacts: ReturnType<typeof artifact>[]) => ({
  stageId,
  attemptNumber: 1,
  result: { artifacts },
});

test("an artifact stands once, with what each stage in turn says became of it", () => {
  const found = artifactsOf([
    stage("implement", artifact("src/b.ts", "CREATED"), artifact("src/a.ts", "MODIFIED")),
    { stageId: "review", attemptNumber: 0, result: null },
    stage("mend", artifact("src/b.ts", "DELETED")),
  ]);
  expect(found.map(({ path }) => path)).toEqual(["src/a.ts", "src/b.ts"]);
  expect(found[1]?.said.map(({ stageId, action }) => [stageId, action])).toEqual([
    ["implement", "CREATED"],
    ["mend", "DELETED"],
  ]);
});

test("without a result there is none", () => {
  expect(artifactsOf([{ stageId: "a", attemptNumber: 0, result: null }])).toEqual([]);
});
