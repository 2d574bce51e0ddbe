import { startYard, type Yard } from "../agents.ts";
import { expect, ownStack } from "../journey.ts";

const { signedInTest: test } = ownStack("pipelines");
let yard: Yard;

test.beforeAll(async ({ stack }) => {
  yard = await startYard(stack);
});
test.afterAll(() => yard.stop());

test("agents at work carry a task to its end, and wait where the script says so", async ({ page }) => {
  const { pipelineId, taskId } = await yard.submit({ script: { "code-review": ["waits"] } });
  await page.goto("/");
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  yard.letGo(taskId);
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)))
    .toContain("PIPELINE_STATUS_COMPLETED");
});
