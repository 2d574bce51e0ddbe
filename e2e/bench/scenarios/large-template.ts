import { expect, type Page } from "@playwright/test";
import { startYard } from "../../agents.ts";
import { type Figure, percentile } from "../measure/figures.ts";
import { framesWhileScrolling, interactionTimes } from "../measure/frames.ts";
import type { World } from "../world.ts";

const STAGES = 200;
const LANES = 8;

/** Eight lanes that meet again in every tenth column. */
function waitsFor(index: number): string[] {
  const column = Math.floor(index / LANES);
  if (column === 0) return [];
  const all = Array.from({ length: LANES }, (_, lane) => `stage-${(column - 1) * LANES + lane}`);
  return column % 10 === 0 ? all : all.slice(index % LANES, (index % LANES) + 1);
}

const stages = Array.from(
  { length: STAGES },
  (_, index) =>
    `        - stage_id: "stage-${index}"\n          task_type: "feature-implementation"\n          required: true\n` +
    `          depends_on_stages: [${waitsFor(index).join(", ")}]`,
).join("\n");

const templatesText = `pipeline_templates:
  version: "2.0.0"
  templates:
    - template_id: "large"
      name: "Large"
      stages:
${stages}
      policy:
        pipeline_deadline: "30m"
        failure_strategy: PAUSE
`;

/** Two hundred stages: their track while it is scrolled, and one edit in the graph, the form and the YAML. */
export async function largeTemplate({ stack, page }: World): Promise<Figure[]> {
  const yard = await startYard(stack);
  await yard.rest("POST", "/v1/pipeline-templates", templatesText);
  await yard.rest("POST", "/v1/pipeline-templates/2.0.0/publish", {});
  const answer = await yard.rest("POST", "/v1/tasks", {
    templateId: "large",
    contract: { taskId: "LARGE-1", title: "Large", acceptanceCriteria: ["it is done"] },
  });
  const pipelineId = /"pipelineId":"([^"]+)"/.exec(JSON.stringify(answer))?.[1] ?? "";
  await page.goto(`/pipelines/${pipelineId}`);
  await expect(page.getByRole("heading", { name: "LARGE-1", level: 1 })).toBeVisible();
  await page
    .getByRole("link", { name: /^stage-0/ })
    .first()
    .hover();
  const track = await framesWhileScrolling(page, "on the track of 200 stages, at work");
  await yard.stop();
  return [...track, ...(await edits(page))];
}

async function edits(page: Page): Promise<Figure[]> {
  const began = performance.now();
  await page.goto("/templates/large/edit");
  const block = (id: string) =>
    page.getByRole("list", { name: /^Stages of/ }).getByRole("button", { name: new RegExp(`^${id} ?,`) });
  await expect(block("stage-0")).toBeVisible();
  const shown = performance.now() - began;
  await block("stage-0").click();
  const form = page.getByRole("combobox", { name: "Task type" });
  const inForm = await interactionTimes(page, async () => {
    for (let index = 0; index < 6; index += 1) {
      await form.fill(index % 2 === 0 ? "code-review" : "verification");
      await form.press("Enter");
      await page.waitForTimeout(300);
    }
  });
  const add = page.getByRole("button", { name: "Add a stage" });
  const inGraph = await interactionTimes(page, async () => {
    for (let index = 0; index < 6; index += 1) {
      await add.click();
      await page.waitForTimeout(300);
    }
  });
  const yaml = page.getByRole("textbox", { name: "YAML" });
  await yaml.click();
  const inText = await interactionTimes(page, async () => {
    for (const letter of "# what it is for") {
      await page.keyboard.type(letter);
      await page.waitForTimeout(60);
    }
  });
  return [
    { name: "the graph in the editor, from the address to the screen", value: shown, unit: "ms" },
    ...Object.entries({ "in the form": inForm, "a stage more": inGraph, "a letter in the YAML": inText }).map(
      ([name, times]) => ({
        name: `an edit (${name}), to the frame that shows it, the longest of ${times.length}`,
        value: percentile(times, 1),
        unit: "ms",
        wanted: { atMost: 100 },
      }),
    ),
  ];
}
