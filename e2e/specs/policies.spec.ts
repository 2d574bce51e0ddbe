import { expectAccessible, expectNoSidewaysScroll, expectNothingCutOff } from "../accessible.ts";
import { expect, joined, ownStack, type Page } from "../journey.ts";
import { putPolicy, registerItsPacks, storedText } from "../policies.ts";

const { signedInTest: test } = ownStack("policies");
test.describe.configure({ mode: "serial" });

const yamlOf = (page: Page) => page.getByRole("textbox", { name: "The policy as YAML" });
const view = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test("a first policy is written in the form, which keeps the text's comments, and is published with a note", async ({
  page,
  stack,
}) => {
  await registerItsPacks(stack);
  await page.goto("/policies");
  await expect(page.getByText("No routing policy is in force")).toBeVisible();
  await page.getByRole("link", { name: "Write the first policy" }).click();
  await page.getByRole("button", { name: "Add a route" }).click();
  const route = page.getByRole("group", { name: "Route of code-review" });
  await expect(route.getByLabel("Task type")).toBeFocused();
  // What one types is instead of the name that was made up, and not behind it.
  await page.keyboard.type("review");
  await page.getByRole("group", { name: "Route of review", exact: true }).waitFor();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("code-review");
  await route.getByLabel("Add a pack").fill("qa-engineer");
  await route.getByLabel("Add a pack").press("Enter");
  await route.getByLabel("Preferred").selectOption("qa-engineer");
  await page.getByLabel("Most stages in the queue").fill("40");

  await view(page, "YAML").click();
  await expect(yamlOf(page)).toContainText("# Who may do what.");
  await expect(yamlOf(page)).toContainText("preferred_pack_id: qa-engineer");
  await expect(yamlOf(page)).toContainText("max_global_queue_depth: 40");

  await expect(page.getByText("No faults")).toBeVisible();
  await page.getByRole("button", { name: "Publish this policy" }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Publish routing policy 1.0.0?" });
  await dialog.getByLabel("Note").fill("The first of all");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/policies/1.0.0");
  await expect(page.getByText("in force").first()).toBeVisible();
  expect(await storedText(stack, "1.0.0")).toContain("# null: a person is asked where no pack is able.");
});

test("redaction, answers, SAP tasks and handoffs are written in the form and in the YAML, one document", async ({
  page,
}) => {
  await page.goto("/policies/edit");
  await page.getByRole("button", { name: "Add a section of redaction" }).click();
  const masked = page.getByRole("list", { name: "Always masked" });
  await expect(masked).toContainText("**/*.password");
  await page.getByLabel("Mask another field").fill("**/*.pin");
  await page.getByLabel("Mask another field").press("Enter");
  // Before the next key could be read, however slow the machine.
  const holder = await masked
    .getByRole("button", { name: "Remove **/*.token from what is always masked" })
    .evaluate(async (remove: HTMLElement) => {
      remove.focus();
      remove.click();
      await new Promise((read) => setTimeout(read));
      return { isGone: !remove.isConnected, name: document.activeElement?.getAttribute("aria-label") };
    });
  expect(holder).toEqual({
    isGone: true,
    name: expect.stringMatching(/^Remove .* from what is always masked$/),
  });
  await page.getByRole("button", { name: "Add a rule of redaction" }).click();
  await page
    .getByRole("group", { name: /^Redaction of field/ })
    .getByLabel("Field")
    .fill("a..b");
  const rule = page.getByRole("group", { name: "Redaction of a..b" });
  await expect(rule.getByLabel("Field")).toHaveAccessibleDescription(/empty|step|path/i);
  await rule.getByLabel("Field").fill("task_output.log");

  await page.getByRole("button", { name: "Add a guardrail" }).click();
  await page.getByRole("group", { name: "Guardrail guardrail" }).getByLabel("Effect").selectOption("fail");
  await page.getByRole("button", { name: "Add a capability" }).click();
  const capability = page.getByRole("group", { name: "Capability code-review" });
  await capability.getByLabel("Who may issue its tasks").selectOption({ label: "who is named below alone" });
  await capability.getByLabel("Kind of issuer 1").selectOption("agent");
  await capability.getByLabel(/^Id of issuer 1/).fill("qa-engineer");
  await page.getByRole("button", { name: "Add a principle" }).click();
  const principle = page.getByRole("group", { name: "Principle new-principle" });
  await principle.getByLabel("build").uncheck();
  await principle.getByLabel("A person decides above").fill("160");
  await expect(principle.getByLabel("A person decides above")).toHaveAccessibleDescription(/100/);
  await principle.getByLabel("A person decides above").fill("60.5");
  await page.getByRole("button", { name: "Add a playbook" }).click();
  await page.getByLabel("What is told").fill("Begin with the sources.");
  await page.getByRole("button", { name: "Add a handoff" }).click();
  const handoff = page.getByRole("group", { name: "Handoff 1" });
  await handoff.getByLabel("Add a task type", { exact: true }).fill("nowhere");
  await handoff.getByLabel("Add a task type", { exact: true }).press("Enter");
  await expect(handoff.getByLabel("Add a task type", { exact: true })).toHaveAccessibleDescription(
    /no route of this policy has the task type "nowhere"/,
  );
  await expectAccessible(page);
  await handoff.getByRole("button", { name: /^Remove nowhere/ }).press("Enter");
  await expect(page.getByText(/^No faults/)).toBeVisible();
  await expectNoSidewaysScroll(page, [2560, 360]);
  await expectNothingCutOff(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  await view(page, "YAML").click();
  await expect(yamlOf(page)).toContainText("# Who may do what.");
  await yamlOf(page).focus();
  await page.keyboard.press("Control+End");
  for (const written of [
    /"?\*\*\/\*\.pin/,
    'field: "task_output.log"',
    "effect: fail",
    "agent_id: qa-engineer",
    "escalate_above: 60.5",
    'text: "Begin with the sources."',
  ])
    await expect(yamlOf(page)).toContainText(written);
  await page.keyboard.type("  - to_task_types: [code-review]");
  await view(page, "Form").click();
  await expect(page.getByRole("list", { name: "May become, handoff 2" }).getByRole("listitem")).toContainText(
    "code-review",
  );
  await page.getByRole("button", { name: "Remove Handoff 2" }).press("Enter");
  await expect(page.getByRole("group", { name: "Handoff 2" })).toHaveCount(0);
  await expect(page.locator("main :focus")).toBeVisible();
  await page.getByRole("button", { name: "Remove Capability code-review" }).press("Enter");
  await page.getByRole("button", { name: "Remove the section of redaction" }).click();
  await view(page, "YAML").click();
  await expect(yamlOf(page)).not.toContainText("agent_id");
  await expect(yamlOf(page)).not.toContainText("redaction_policy");
});

test("in YAML, faults stand at line and column while one types, names are offered, and what is not saved survives a reload", async ({
  page,
  stack,
}) => {
  await putPolicy(stack, "1.1.0");
  await page.goto("/policies/edit?version=1.1.0");
  await view(page, "YAML").click();
  await yamlOf(page).focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("\nstray: 1");
  const fault = page
    .getByRole("list", { name: "Faults" })
    .getByRole("button", { name: /"stray" is not known/ });
  await expect(fault).toContainText(/^37:1/);
  await expect(page.getByRole("button", { name: "Save the draft" })).toHaveAttribute("aria-disabled", "true");
  await fault.click();
  await expect(yamlOf(page)).toBeFocused();
  await page.keyboard.press("Shift+End");
  await page.keyboard.press("Delete");

  await page.keyboard.press("Control+Home");
  for (let line = 0; line < 6; line += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.type(", gener");
  await page.keyboard.press("Control+Space");
  await page.getByRole("option", { name: /generalist-dev/ }).click();
  await expect(yamlOf(page)).toContainText(`["senior-python-dev", "senior-ts-dev", generalist-dev]`);
  await expect(page.getByText(/^No faults/)).toBeVisible();
  await expectAccessible(page);

  await page.reload({ waitUntil: "commit" });
  await expect(page.getByText("What you had not saved was found again in this tab")).toBeVisible();
  await expect(page.getByRole("list", { name: "Packs that may do feature-implementation" })).toContainText(
    "generalist-dev",
  );
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved as a draft.")).toBeVisible();
  expect(await storedText(stack, "1.1.0")).toContain("fallback_pack_id: null  # escalate if unavailable");

  await page.getByLabel("Version", { exact: true }).fill("1.1.1");
  await page.getByRole("link", { name: "Overview" }).click();
  const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(leaving).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/policies/edit?version=1.1.0");
  await page.getByRole("link", { name: "Overview" }).click();
  await leaving.getByRole("button", { name: "Throw it away" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("who begins a new version is told of the draft that there is; the first save leaves focus, caret, steps to undo and what was simulated", async ({
  page,
  stack,
}) => {
  await page.goto("/policies/edit?from=1.0.0");
  await expect(page.getByText("There is a draft already")).toBeVisible();
  await page.getByRole("link", { name: "Open the draft 1.1.0" }).click();
  await expect(page.getByLabel("Most stages in the queue")).toHaveValue("50");
  await page.goBack();
  await expect(page.getByLabel("Most stages in the queue")).toHaveValue("40");
  await view(page, "On past dispatches").click();
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByText("No decision is on record yet.")).toBeVisible();
  await view(page, "YAML").click();
  await yamlOf(page).focus();
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("End");
  await page.keyboard.type(" Ours alo");
  await expect(page.getByText(/^No faults/)).toBeVisible();
  await yamlOf(page).evaluate((element) => Object.assign(element, { neverRemounted: true }));
  await page.evaluate(() => window.scrollTo(0, 150));
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved as a draft.")).toBeVisible();
  await expect(page).toHaveURL("/policies/edit?version=1.2.0");
  await expect(yamlOf(page)).toBeFocused();
  expect(await page.evaluate(() => window.scrollY)).toBe(150);
  await page.keyboard.type("ne.");
  await expect(yamlOf(page)).toContainText("# Who may do what. Comments are kept");
  await expect(yamlOf(page)).toContainText("Ours alone.");
  expect(await yamlOf(page).evaluate((element) => "neverRemounted" in element)).toBe(true);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved as a draft.")).toBeVisible();
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+z");
  await expect(yamlOf(page)).not.toContainText("Ours");
  await expect(page.getByText("Changed, and not saved yet.")).toBeVisible();
  await page.keyboard.press("Control+y");
  await view(page, "On past dispatches").click();
  await expect(page.getByText("The text has changed since. No decision is on record yet.")).toBeVisible();
  expect(await storedText(stack, "1.2.0")).toContain("Ours alone.");
});

test("a draft is compared, tried on the record and published; a roll back takes two clicks", async ({
  page,
}) => {
  await page.goto("/policies/edit?version=1.1.0");
  await view(page, "Beside the one in force").click();
  await expect(page.getByText("1.0.0, in force → this draft")).toBeVisible();
  await expect(page.getByRole("textbox", { name: /this draft, beside 1.0.0/ })).toContainText(
    "security-review",
  );
  await expectAccessible(page);
  await view(page, "On past dispatches").click();
  await page.getByRole("button", { name: "Simulate" }).click();
  await expect(page.getByText("No decision is on record yet.")).toBeVisible();
  await expect(page.getByRole("list", { name: "What it leaves open" })).toContainText(
    "does not say that it can do",
  );
  await page.getByRole("button", { name: "Publish this policy" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Publish" }).click();
  await expect(page).toHaveURL("/policies/1.1.0");

  await page.getByRole("link", { name: "Policies" }).click();
  await page.getByRole("button", { name: "Roll back to 1.0.0" }).click();
  await expect(page.getByRole("dialog").getByLabel("Note")).toHaveAccessibleDescription(/may be left out/);
  await page
    .getByRole("dialog", { name: "Roll back to 1.0.0?" })
    .getByRole("button", { name: "Roll back" })
    .click();
  await expect(page.getByText("Routing policy 1.0.0 is in force")).toBeVisible();
  // Nobody said anything as it came back: what stands there is the version's, as it was first published.
  await expect(page.getByText(/^Published .* by Administrator$/)).toBeVisible();
  const row = page.getByRole("row", { name: /1\.0\.0/ });
  await expect(row).toContainText("in force");
});

test("whoever may not draft sees the form, may not write in it, and is told why", async ({
  page,
  stack,
  browser,
}) => {
  const viewer = await joined(page, stack, browser, "Wim", "viewer");
  await viewer.goto(`${stack.origin}/policies/edit`);
  const form = viewer.getByRole("group", { name: "The policy as a form" });
  await expect(form).toHaveAccessibleDescription(
    "drafting a routing policy needs the role operator or admin.",
  );
  await expect(viewer.getByRole("button", { name: "Add a guardrail" })).toBeDisabled();
  await expect(viewer.getByLabel("Version", { exact: true })).toBeDisabled();
  await expectAccessible(viewer);
  await viewer.context().close();
});
