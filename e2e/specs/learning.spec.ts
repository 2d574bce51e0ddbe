import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { capability, type Consulting, startConsulting } from "../consulting.ts";
import { expect, ownStack, type Page } from "../journey.ts";

const { signedInTest: test } = ownStack("learning");
test.describe.configure({ mode: "serial" });

let consulting: Consulting;
test.beforeAll(async ({ stack }) => {
  consulting = await startConsulting(stack);
});
test.afterAll(() => consulting.stop());

async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ["dark", "light"] as const) await expectNoViolation(page, theme);
  await expectNoSidewaysScroll(page, [360, 2560, 1280]);
}

const view = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Views" }).getByRole("link", { name, exact: true });
const row = (page: Page, taskId: string) => page.getByRole("listitem").filter({ hasText: taskId });

test("what people note of two results is proposed while one looks, is accepted with a reason, and is in force in a new version", async ({
  page,
  context,
}) => {
  await page.goto("/learning");
  await expect(page.getByText("Nothing is proposed")).toBeVisible();
  const first = await consulting.consult("chapters", "books");
  const second = await consulting.consult("pages", "books");
  expect([first.status, second.status]).toEqual(["SUCCEEDED", "SUCCEEDED"]);
  expect(consulting.told()).not.toContain("Cite the chapter.");

  const rating = await context.newPage();
  await rating.goto("/learning?view=results");
  await row(rating, first.taskId).getByText("Not rated").click();
  await row(rating, first.taskId).getByLabel("Score").selectOption("2");
  await row(rating, first.taskId).getByLabel("Note").fill("Cite the chapter.");
  await row(rating, first.taskId).getByRole("button", { name: "Rate the result" }).click();
  await expect(row(rating, first.taskId).getByText("Rated 2 of 5")).toBeVisible();

  await row(rating, second.taskId).getByRole("link", { name: second.taskId }).click();
  const result = rating.getByRole("region", { name: "Result" });
  await expect(result.getByText("Succeeded")).toBeVisible();
  await expect(result.getByRole("definition").filter({ hasText: /^PASS: evidence/ })).toHaveCount(1);
  await expect(result.getByText(/^NOT_JUDGED: the policy names no principle "kindness"/)).toBeVisible();
  await result.getByText("What was answered").click();
  await expect(result.getByText("About")).toBeVisible();
  await result.getByRole("button", { name: "Rate the result" }).click();
  await expect(result.getByText("say a score, approved, a note, or more of these")).toBeVisible();
  await result.getByLabel("Approval").selectOption("not approved");
  await result.getByLabel("Note").fill("Answer in one page.");
  await rating.reload();
  await expect(result.getByLabel("Approval")).toHaveValue("not approved");
  await expect(result.getByLabel("Note")).toHaveValue("Answer in one page.");
  await result.getByRole("button", { name: "Rate the result" }).click();
  await expect(result.getByRole("list", { name: "Ratings" })).toContainText("Answer in one page.");
  await expectAccessible(rating);
  await rating.close();

  await page
    .getByRole("list", { name: "To decide" })
    .getByRole("link", { name: `Playbook for ${capability} in books` })
    .press("Enter");
  await expect(page.getByText("1.0.0, in force → 1.0.1, if it is accepted")).toBeVisible();
  const after = page.getByRole("textbox", { name: /1\.0\.1, if it is accepted/ });
  await expect(after).toContainText("Cite the chapter.");
  await expect(after).toContainText("Answer in one page.");
  await expect(page.getByRole("list", { name: "What it rests on" }).getByRole("listitem")).toHaveCount(2);
  await expectAccessible(page);

  await page.getByRole("button", { name: /^Accept/ }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Publish it as routing policy 1.0.1?" });
  await dialog.getByRole("button", { name: "Accept" }).click();
  await expect(dialog.getByText("Say why.")).toBeVisible();
  await dialog.getByLabel("Reason").fill("Both readers asked for it.");
  await dialog.getByRole("button", { name: "Accept" }).click();
  await expect(page.getByText("Accepted by Administrator")).toBeVisible();
  await expect(page.getByText("Both readers asked for it.")).toBeVisible();
  await page.getByRole("link", { name: "routing policy 1.0.1" }).click();
  await expect(page.getByRole("heading", { name: "Routing policy 1.0.1", level: 1 })).toBeVisible();
  await expect(page.getByText("in force").first()).toBeVisible();
  await expect(page.getByText("# Who may be consulted.")).toBeVisible();

  await consulting.consult("covers", "books");
  expect(consulting.told()).toContain("Cite the chapter.");
  await page.getByRole("link", { name: "Learning", exact: true }).click();
  await expect(page.getByRole("list", { name: "Playbooks in force" })).toContainText("Answer in one page.");
  await expect(page.getByRole("list", { name: "Decided" })).toContainText("routing policy 1.0.1");
  await expectAccessible(page);
});

test("what the cache holds, and what signals come to, move by themselves", async ({ page }) => {
  await page.goto("/learning");
  await view(page, "Cache").press("Enter");
  await expect(page.getByRole("navigation", { name: "Views" }).locator("[aria-current=page]")).toHaveText([
    "Cache",
  ]);
  const cached = page.getByRole("list", { name: "By capability" });
  await expect(cached).toContainText("0 of 3 (0 %)");
  await consulting.consult("covers", "books");
  await expect(cached).toContainText("1 of 4 (25 %)");
  await expect(page.getByRole("list", { name: "Records" }).getByRole("listitem")).toHaveCount(3);
  await expectAccessible(page);

  await view(page, "Signals").click();
  await page.getByRole("link", { name: capability, exact: true }).click();
  await expect(page).toHaveURL(`/learning?view=signals&by=territory&capability=${capability}`);
  const signals = page.getByRole("list", { name: "Signals" });
  await expect(signals).toContainText("blueprint_thinking: PASS 3");
  await expect(signals).toContainText("2 of 5, by 1; 1 did not approve");
  await signals.getByText("The newest 2 notes").click();
  await expectAccessible(page);
  await page.getByLabel("Counted by").selectOption("fingerprint");
  await expect(signals.getByRole("heading")).toHaveCount(3);
  await page.reload();
  await expect(signals.getByRole("heading")).toHaveCount(3);

  await view(page, "Results").click();
  await expect(page.getByText("answered by the cache")).toHaveCount(1);
  await expectAccessible(page);
});

test("a refusal is seen by who looks at the proposal elsewhere, and keeps the policy as it is", async ({
  page,
  context,
}) => {
  for (const topic of ["inks", "papers"]) {
    const { taskId } = await consulting.consult(topic, "print");
    await page.goto("/learning?view=results");
    await row(page, taskId).getByText("Not rated").click();
    await row(page, taskId).getByLabel("Note").fill(`Name the maker of ${topic}.`);
    await row(page, taskId).getByRole("button", { name: "Rate the result" }).click();
    await expect(row(page, taskId).getByText("Rated a note")).toBeVisible();
  }
  await page.goto("/learning");
  await page.getByRole("link", { name: `Playbook for ${capability} in print` }).click();
  await expect(page.getByRole("button", { name: /^Refuse/ })).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await other.getByRole("button", { name: /^Refuse/ }).click();
  await other.getByRole("dialog").getByLabel("Reason").fill("One reader’s taste.");
  await other.getByRole("dialog").getByRole("button", { name: "Refuse" }).click();
  for (const one of [other, page]) {
    await expect(one.getByText("Refused by Administrator")).toBeVisible();
    await expect(one.getByText("One reader’s taste.")).toBeVisible();
    await expect(one.getByRole("button", { name: /^Accept/ })).toHaveCount(0);
  }
  await page.goto("/policies");
  await expect(page.getByRole("row", { name: /1\.0\.1/ })).toContainText("in force");
});
