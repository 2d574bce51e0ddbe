import { expect, ownStack } from "../journey.ts";

const { signedInTest: test } = ownStack("settings");

test("a text is tried against the redaction, by the rules that would hold, and nothing of it is kept", async ({
  page,
}) => {
  const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
  await page.goto("/settings/redaction");
  await page.getByLabel(/^A text as an agent/).fill(`push with ${token} to ada@example.org`);
  await page.getByRole("button", { name: "Show what is masked" }).click();
  const written = page.getByLabel("As it would be written");
  await expect(written).toHaveText("push with [redacted:github-token] to ada@example.org");
  await page.getByLabel("Judge it as").selectOption("the shared context of a task");
  await page.getByRole("button", { name: "Show what is masked" }).click();
  await expect(written).toHaveText("push with [redacted:github-token] to [redacted:email]");
  await expect(page.getByRole("list", { name: "What was masked" })).toContainText("E-mail address");
  expect(page.url()).not.toContain("ghp_");
  await page.goto("/audit");
  await expect(page.getByRole("table").getByRole("cell").first()).toBeVisible();
  expect(await page.getByRole("table").innerText()).not.toContain("redacted");
});

test.describe("retention", () => {
  test.use({ expectedNoise: /status of 4\d\d/ });

  test("how long the record is kept is said with a reason, a hold stops it, and both are on the record", async ({
    page,
    stack,
  }) => {
    await page.goto("/settings/retention");
    const form = page.getByRole("region", { name: "Change it" });
    const standing = page.getByRole("region", { name: "What holds now" });
    await expect(standing).toContainText("for ever");
    await form.getByRole("combobox", { name: "Keep the record" }).selectOption("for so many months");
    await form.getByLabel("Months").fill("a year");
    const change = form.getByRole("button", { name: "Change it how long the record is kept" });
    await change.click();
    await expect(form.getByLabel("Months")).toHaveAccessibleDescription(
      /a whole number of months, from 12 to 1200/,
    );
    await expect(form.getByLabel("Months")).toBeFocused();
    await expect(form.getByLabel("Reason")).toHaveAccessibleDescription(/The reason is missing/);

    await form.getByLabel("Months").fill("84");
    await form.getByLabel("Reason").fill("Seven years, as our auditors ask.");
    await page.reload();
    await expect(form.getByLabel("Months")).toHaveValue("84");
    await expect(form.getByLabel("Reason")).toHaveValue("Seven years, as our auditors ask.");
    await form.getByLabel("Reason").press("Tab");
    await page.keyboard.press("Enter");
    const sure = page.getByRole("dialog", { name: "Keep the record for 7 years?" });
    await expect(sure).toContainText("It is kept for ever now.");
    await expect(sure).toContainText("takes effect in a week");
    await page.keyboard.press("Escape");
    await expect(change).toBeFocused();
    await expect(standing).not.toContainText("To come");
    await page.keyboard.press("Enter");
    await sure.getByRole("button", { name: "Change it" }).press("Enter");
    await expect(page.getByText("It is said, and on record.")).toBeVisible();
    await expect(form.getByLabel("Reason")).toHaveValue("");
    await expect(standing).toContainText("Seven years, as our auditors ask.");
    await expect(change).toHaveAccessibleDescription("It is said already: for 7 years.");
    // A shorter time than for ever: a week to object.
    await expect(standing).toContainText(/To come\s*for 7 years, from/);
    await expect(standing).toContainText("Nothing: the record is kept for ever.");

    await page.getByRole("button", { name: /^Hold the record/ }).click();
    const asked = page.getByRole("dialog", { name: "Hold the record?" });
    await asked.getByRole("button", { name: "Hold the record" }).click();
    await expect(asked.getByLabel("Reason")).toHaveAccessibleDescription(/Say why/);
    await asked.getByLabel("Reason").fill("A customer’s claim.");
    const problem = { code: "FAILED_PRECONDITION", title: "It was refused", detail: "Not for now." };
    const data = { code: "PRECONDITION_FAILED", httpStatus: 412, problem };
    const refused = { status: 412, json: [{ error: { message: "Not for now.", code: -32_012, data } }] };
    let refusals = 0;
    const isTold = Promise.withResolvers<void>();
    await page.route(/retention\.(hold|get)/, async (call) => {
      if (call.request().method() === "POST" && ++refusals === 1) return call.fulfill(refused);
      await isTold.promise;
      return call.continue();
    });
    await asked.getByRole("button", { name: "Hold the record" }).click();
    // Why it was refused is told before the page could be read anew.
    await expect(page.getByText("Not for now.")).toBeVisible();
    isTold.resolve();
    await page.getByRole("button", { name: /^Hold the record/ }).click();
    // What was refused is not written again.
    await expect(asked.getByLabel("Reason")).toHaveValue("A customer’s claim.");
    await asked.getByRole("button", { name: "Hold the record" }).click();
    const holds = page.getByRole("list", { name: "Holds" });
    await expect(holds.getByRole("listitem")).toHaveText(/A customer’s claim\.\s*Placed by/);
    await expect(standing).toContainText("Nothing: the record is held.");
    await page.getByRole("button", { name: /^Release the hold/ }).click();
    const release = page.getByRole("dialog", { name: "Release the hold?" });
    await release.getByLabel("Reason").fill("It was settled.");
    await release.getByRole("button", { name: "Release" }).click();
    await expect(holds.getByRole("listitem")).toContainText("It was settled.");
    await expect(standing).not.toContainText("the record is held");

    // What another says is seen while one looks.
    const headers = { origin: stack.origin };
    await page.request.post("/v1/audit/holds", { headers, data: { reason: "Said elsewhere." } });
    await expect(holds).toContainText("Said elsewhere.");

    await page.goto("/audit?q=%22placed+hold%22+OR+%22released+hold%22+OR+%22record+is+kept%22");
    await expect(page.getByText("4 entries, which is all")).toBeVisible();
  });
});

test("the gates are told as they are made", async ({ page }) => {
  await page.goto("/settings/gates");
  await expect(page.getByRole("heading", { level: 3 })).toHaveText([
    "evidence",
    "tests",
    "static",
    "build",
    "scope",
    "safety",
  ]);
});
