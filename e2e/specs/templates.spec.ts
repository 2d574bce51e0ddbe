import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expectAccessible, expectFocus, expectNoSidewaysScroll } from "../accessible.ts";
import { expect, joined, ownStack, type Page } from "../journey.ts";
import { startYard, type Yard } from "../agents.ts";

const { signedInTest: test } = ownStack("templates");
const examples = join(import.meta.dirname, "../../examples/config");
const exampleTemplates = readFileSync(join(examples, "pipeline-templates.yaml"), "utf8");
let yard: Yard;

test.beforeAll(async ({ stack }) => {
  yard = await startYard(stack);
});
test.afterAll(() => yard.stop());

const block = (page: Page, id: string) =>
  page
    .getByRole("list", { name: /^Stages of/ })
    .getByRole("button", { name: new RegExp(`^(Connect to )?${id} ?,`) });
const yaml = (page: Page) => page.getByRole("textbox", { name: "YAML" });

/** The middle of a block's port, where a pointer takes hold of it. */
async function portOf(page: Page, id: string, side: "in" | "out") {
  await block(page, id).scrollIntoViewIfNeeded();
  const box = await block(page, id).boundingBox();
  if (box === null) throw new Error(`the block ${id} is not shown`);
  return { x: side === "out" ? box.x + box.width : box.x, y: box.y + box.height / 2 };
}

async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 4 });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up();
}

async function publish(page: Page, note: string): Promise<void> {
  const button = page.getByRole("button", { name: "Publish these templates" });
  await expect(button).toHaveAttribute("aria-disabled", "false");
  await button.click();
  const dialog = page.getByRole("dialog", { name: /^Publish templates/ });
  await dialog.getByLabel("Note").fill(note);
  await dialog.getByRole("button", { name: "Publish" }).click();
}

test("a template is built by pointer and by keyboard, broken and mended in YAML, published, and run", async ({
  page,
}) => {
  await page.goto("/templates");
  await expect(page.getByRole("link", { name: "implement-and-review" })).toBeVisible();

  await test.step("it begins with a starter", async () => {
    await page.getByLabel("Id of the new template").fill("ship");
    await page.getByRole("radio", { name: /^Work and review/ }).check();
    await page.getByRole("button", { name: "Open it in the editor" }).click();
    await expect(block(page, "review")).toHaveAccessibleName(/after implement/);
    // It is shown where one begins to write, and there the caret is.
    await expect(yaml(page)).toContainText('template_id: "ship"');
    await expect(page.getByText("Pointer and keys")).toHaveCSS("display", "list-item");
    await yaml(page).focus();
    await page.keyboard.press("End");
    await page.keyboard.type("  # ours");
    await expect(yaml(page)).toContainText('name: "ship"  # ours');
    // What would have the rest of the line drawn from the right is seen, and goes by one key as any character does.
    await page.keyboard.insertText(" \u202Eback");
    await expect(yaml(page)).toContainText("# ours ‹U+202E›back");
    for (const _ of " \u202Eback") await page.keyboard.press("Backspace");
    await expect(yaml(page)).not.toContainText("‹U+202E›");
  });

  await test.step("a line that is let go where nothing is makes a stage", async () => {
    const port = await portOf(page, "implement", "out");
    await drag(page, port, { x: port.x + 60, y: port.y + 90 });
    await expect(block(page, "stage")).toBeFocused();
    await expect(block(page, "stage")).toHaveAccessibleName(/after implement/);
    await expect(yaml(page)).toContainText(/stage_id: stage\b/);
  });

  await test.step("its form names it, and YAML and graph follow", async () => {
    await page.getByLabel("Id", { exact: true }).fill("verify");
    await page.keyboard.press("Enter");
    await page.getByRole("combobox", { name: "Task type" }).fill("verification");
    await page.keyboard.press("Enter");
    await expect(block(page, "verify")).toHaveAccessibleName(/^verify ?, verification/);
    await expect(yaml(page)).toContainText(/stage_id: verify\s+task_type: verification/);
  });

  await test.step("a line from port to port connects", async () => {
    await drag(page, await portOf(page, "review", "out"), await portOf(page, "verify", "in"));
    await expect(block(page, "verify")).toHaveAccessibleName(/after implement and review/);
  });

  await test.step("by keyboard: to and fro, a stage, a line that would be a circle, and back", async () => {
    await block(page, "implement").focus();
    await page.keyboard.press("ArrowRight");
    await expect(block(page, "review")).toBeFocused();
    await page.keyboard.press("n");
    await expect(block(page, "stage")).toBeFocused();
    await page.keyboard.press("c");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    await expect(block(page, "implement")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByText("neither could start: stage → implement → review → stage")).toBeVisible();
    for (const id of ["verify", "review", "stage"]) {
      await page.keyboard.press("j");
      await expect(block(page, id)).toBeFocused();
    }
    await page.keyboard.press("Delete");
    await expect(block(page, "stage")).toHaveCount(0);
    await expect(block(page, "review")).toBeFocused();
    await page.keyboard.press("Control+z");
    await expect(block(page, "stage")).toBeVisible();
    await page.keyboard.press("Control+Shift+Z");
    await expect(block(page, "stage")).toHaveCount(0);
  });

  await test.step("a fault in the YAML is shown at its line and at its block", async () => {
    await yaml(page).locator(".cm-line", { hasText: "task_type: verification" }).last().click();
    await page.keyboard.press("Home");
    await page.keyboard.type("x");
    await expect(block(page, "verify")).toHaveAccessibleName(/faults?$/);
    await block(page, "implement").click();
    // The first template's first stage stands far above what was written in a moment ago.
    await expect(yaml(page)).toContainText(/stage_id: "?implement"?/);
    await expect(block(page, "implement")).toBeFocused();
    await page.getByRole("button", { name: /^Line \d+, verify.*xtask_type/ }).click();
    await expect(block(page, "verify")).toHaveAttribute("aria-pressed", "true");
    await expect(yaml(page)).toBeFocused();
    await expect(yaml(page)).toContainText("xtask_type");
    await expect(page.getByRole("button", { name: "Publish these templates" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(block(page, "verify")).toHaveAccessibleName(/after implement and review$/);
  });

  await test.step("its gate is written in the form, and a task type is offered by those who can do it", async () => {
    await block(page, "verify").click();
    await page.getByLabel("Begin one: what must hold of the work").fill("Every test passes.");
    await page.keyboard.press("Enter");
    await page.getByLabel("Tests to run").fill("npm test");
    await page.getByLabel("Files it may change").fill("src/**\ndocs/**");
    await page.getByLabel("Work that touches auth calls a person").check();
    await expect(yaml(page)).toContainText(/auto_escalate_on_security_flag: \[ ?touches_auth ?\]/);
    await expect(yaml(page)).toContainText(/modify: \[ ?src\/\*\*, docs\/\*\* ?\]/);
    await expect(page.getByRole("region", { name: "Faults" })).toHaveCount(0);
    const task = yaml(page).locator(".cm-line", { hasText: "task_type: verification" }).last();
    await task.click();
    await page.keyboard.press("End");
    for (let letter = 0; letter < 6; letter += 1) await page.keyboard.press("Backspace");
    await page.keyboard.press("Control+Space");
    await page.getByRole("option", { name: "verification" }).click();
    await expect(block(page, "verify")).toHaveAccessibleName(/^verify ?, verification/);
  });

  await test.step("what is not saved survives a reload, and the draft has an address", async () => {
    await expect(page.getByRole("button", { name: "Save the draft" })).toHaveAttribute(
      "aria-disabled",
      "false",
    );
    await page.reload({ waitUntil: "commit" });
    await expect(page.getByText("What you had not saved was found again in this tab")).toBeVisible();
    await expect(block(page, "verify")).toHaveAccessibleName(/after implement and review/);
    await expect(page.getByRole("button", { name: "Save the draft" })).toHaveAttribute(
      "aria-disabled",
      "false",
    );
    await page.getByLabel("Retries in all").fill("6");
    await page.getByLabel("Retries in all").press("Enter");
    await expect(page.getByRole("button", { name: "Undo" })).toHaveAttribute("aria-disabled", "false");
    const deadline = page.getByLabel("Deadline", { exact: true });
    await deadline.fill("45m");
    await deadline.press("Enter");
    await deadline.evaluate((element) => Object.assign(element, { neverRemounted: true }));
    await expect(page.getByRole("button", { name: "Save the draft" })).toHaveAttribute(
      "aria-disabled",
      "false",
    );
    await page.keyboard.press("Control+s");
    await expect(page).toHaveURL("/templates/ship/edit?from=1.1.0");
    await expect(page.getByText("Saved as a draft.")).toBeVisible();
    await expect(deadline).toBeFocused();
    expect(await deadline.evaluate((element) => "neverRemounted" in element)).toBe(true);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(deadline).not.toHaveValue("45m");
    await expect(page.getByLabel("Retries in all")).toHaveValue("6");
  });

  await test.step("published, it is active", async () => {
    await publish(page, "A way of our own");
    await expect(page).toHaveURL("/templates/ship/versions/1.1.0");
    await expect(page.getByText("active: new tasks run it")).toBeVisible();
    await expect(page.getByText(/^Published by administrator, /i)).toBeVisible();
  });

  await test.step("a run keeps the very version it was started with", async () => {
    const contract = { taskId: "T-1", title: "Ship it", acceptanceCriteria: ["It ships."] };
    await yard.rest("POST", "/v1/tasks", { templateId: "ship", contract });
    await page.getByRole("button", { name: "Edit" }).click();
    // The graph that is only read has a block of this name too.
    await expect(page.getByRole("button", { name: "Add a stage" })).toBeVisible();
    await block(page, "review").focus();
    await page.keyboard.press("Delete");
    await expect(block(page, "review")).toHaveCount(0);
    await publish(page, "Without a review");
    await expect(page).toHaveURL("/templates/ship/versions/1.2.0");
    await expect(block(page, "review")).toHaveCount(0);

    await page.goto("/templates/ship/versions/1.1.0");
    await expect(page.getByText("retired: pipelines that were started with it keep it")).toBeVisible();
    await expect(block(page, "review")).toBeVisible();
    await page.getByRole("link", { name: "Difference to active" }).click();
    await expect(page.getByRole("figure")).toContainText("1.2.0, active → 1.1.0");
  });

  await test.step("rolled back, it is active again", async () => {
    await page.getByRole("button", { name: "Roll back to 1.1.0" }).click();
    const dialog = page.getByRole("dialog", { name: "Roll back to 1.1.0?" });
    await dialog.getByRole("button", { name: "Roll back" }).click();
    await expect(page.getByText("active: new tasks run it")).toBeVisible();
  });
});

test.describe("of two who edit one draft", () => {
  test.use({ expectedNoise: /status of (409|412)/ });

  test("the second is told by whom, shown both, and loses nothing, nor when the draft is published", async ({
    page,
    stack,
    browser,
  }) => {
    const vera = await joined(page, stack, browser, "Vera");
    const drafted = exampleTemplates.replace('version: "1.0.0"', 'version: "7.0.0"');
    await yard.rest("POST", "/v1/pipeline-templates", drafted);
    for (const one of [page, vera]) {
      await one.goto("/templates/implement-and-review/edit?from=7.0.0");
      await expect(one.getByText("Saved as a draft.")).toBeVisible();
    }
    await page.getByLabel("Retries in all").fill("9");
    await page.keyboard.press("Enter");
    await expect(page.getByText("Not saved yet.")).toBeVisible();
    await vera.getByLabel("Deadline", { exact: true }).fill("45m");
    await vera.keyboard.press("Enter");
    const save = vera.getByRole("button", { name: "Save the draft" });
    await expect(save).toHaveAttribute("aria-disabled", "false");
    await save.click();
    await expect(vera.getByText("Saved as a draft.")).toBeVisible();

    await expect(page.getByText("Vera has saved edit 2 of this draft meanwhile")).toBeVisible();
    await page.getByRole("button", { name: "See both" }).click();
    await expect(page.getByRole("textbox", { name: "Yours" })).toContainText("max_total_retries: 9");
    await expect(page.getByRole("textbox", { name: "Theirs" })).toContainText("45m");
    await page.getByRole("button", { name: "Bring both together" }).click();
    await expectFocus(page);
    await expect(page.getByLabel("Retries in all")).toHaveValue("9");
    await expect(page.getByLabel("Deadline", { exact: true })).toHaveValue("45m");
    const also = page.getByRole("button", { name: "Save the draft" });
    await expect(also).toHaveAttribute("aria-disabled", "false");
    await also.click();
    await expect(page.getByText("Saved as a draft.")).toBeVisible();

    await page.getByLabel("Retries in all").fill("8");
    await page.keyboard.press("Enter");
    const published = await vera.request.post("/v1/pipeline-templates/7.0.0/publish", {
      headers: { origin: stack.origin },
      data: {},
    });
    expect(published.status()).toBe(200);
    await expect(page.getByText("7.0.0 was published by Vera while it was open here")).toBeVisible();
    await page.getByRole("button", { name: "Keep my text as draft 7.1.0" }).click();
    await expect(page).toHaveURL("/templates/implement-and-review/edit?from=7.1.0");
    await expect(page.getByText("Saved as a draft.")).toBeVisible();
    await expect(page.getByLabel("Retries in all")).toHaveValue("8");
    await page.goto("/templates/implement-and-review/edit?from=7.0.0");
    await page.getByRole("link", { name: "Open the draft 7.1.0" }).click();
    await expect(page.getByLabel("Retries in all")).toHaveValue("8");
    await vera.context().close();
  });
});

test("a policy is tried on what was dispatched: what nobody can say is no change, and stands apart with its why", async ({
  page,
}) => {
  const { pipelineId, taskId } = await yard.submit();
  const statusOf = async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`));
  await expect.poll(statusOf, { timeout: 20_000 }).toContain("PIPELINE_STATUS_COMPLETED");
  await page.goto("/policies/edit");
  const route = page.getByRole("group", { name: "Route of feature-implementation" });
  await route.getByLabel("Add a pack").fill("qa-engineer");
  await route.getByLabel("Add a pack").press("Enter");
  const review = page.getByRole("group", { name: "Route of code-review" });
  // Preferred alone wins ties only, and the two are none once one of them has said how long its work takes.
  await review.getByLabel("Preferred").selectOption("senior-python-dev");
  await review.getByRole("button", { name: "Remove qa-engineer" }).press("Enter");
  await page.getByRole("button", { name: "On past dispatches" }).click();
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(
    page.getByText(/would come out otherwise, \d+ as before\. Of \d+ nobody can say/),
  ).toBeVisible();
  const undecided = page.getByRole("table", { name: /^Decisions of which nobody can say/ });
  await expect(undecided.getByRole("row", { name: /feature-implementation/ }).first()).toContainText(
    "Nobody wrote down then how qa-engineer stood",
  );
  const moved = page.getByRole("table", { name: /^Decisions that would come out otherwise/ });
  await expect(moved.getByRole("row", { name: /code-review/ }).first()).toContainText("senior-python-dev");
  await expect(moved).not.toContainText("feature-implementation");
  await expect(undecided.locator(`a[href="/pipelines/${pipelineId}"]`).first()).toContainText(taskId);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page, [2560, 360]);
});

test("a draft is discarded with every template in it", async ({ page }) => {
  const text = readFileSync(join(import.meta.dirname, "../../examples/sacp/pipeline-templates.yaml"), "utf8");
  await yard.rest("POST", "/v1/pipeline-templates", text.replace('version: "1.0.0"', 'version: "7.9.0"'));
  await page.goto("/templates/find-email/versions/7.9.0");
  await page.getByRole("button", { name: "Discard the draft 7.9.0" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(page).toHaveURL("/templates");
  await expect(page.getByRole("link", { name: "7.9.0", exact: true })).toHaveCount(0);
});

test("a version says what a stage's data must be, and what the next one is given of it", async ({ page }) => {
  const text = readFileSync(join(import.meta.dirname, "../../examples/sacp/pipeline-templates.yaml"), "utf8");
  await yard.rest("POST", "/v1/pipeline-templates", text.replace('version: "1.0.0"', 'version: "8.0.0"'));
  await page.goto("/templates/find-email/versions/8.0.0");
  await block(page, "research").click();
  const written = page.getByRole("region", { name: /^Stage / }).getByRole("figure");
  await expect(written).toContainText(/the schema.*"minItems": 1/s);
  await block(page, "validate").click();
  await expect(written).toContainText(/the inputs.*"\{\{research\.data\.guesses\}\}"/s);
});
