import { expect, signedInTest as test } from "../journey.ts";
import { expectNoSidewaysScroll } from "../accessible.ts";
import { manifestOf, registerPack } from "../rest.ts";

test("a pack that a program registers over REST is on the Packs page", async ({ page, stack }) => {
  await registerPack(stack, manifestOf("release-notes-writer", "2.3.4-rc.1+build.7"));
  await page.goto("/packs");
  await expect(page).toHaveTitle("Packs · Signalbox");
  const row = page.getByRole("row", { name: /release-notes-writer/ });
  await expect(row).toContainText("2.3.4-rc.1+build.7");
  await expect(row).toContainText("normal");

  await row.getByRole("link").click();
  await expect(page).toHaveURL("/packs/release-notes-writer/versions/2.3.4-rc.1%2Bbuild.7");
  await expect(page).toHaveTitle("release-notes-writer 2.3.4-rc.1+build.7 · Signalbox");
  await expect(page.getByRole("heading", { name: "release-notes-writer", level: 1 })).toBeVisible();
});

test("the JSON view is what REST answers, has a URL of its own, and can be copied", async ({
  page,
  stack,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const manifest = manifestOf("json-viewed");
  await registerPack(stack, manifest);
  await page.goto("/packs/json-viewed/versions/1.0.0");
  await page.getByRole("link", { name: "JSON" }).click();
  await expect(page).toHaveURL(/\?view=json$/);
  await page.reload();
  await page.getByRole("button", { name: "Copy the registered pack" }).click();
  await expect(page.getByText("Copied").first()).toBeVisible();
  const copied: unknown = JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
  expect(copied).toMatchObject({ manifest, registeredBy: expect.any(String) });
});

test("the list goes on where it ended, and a search is kept in the URL", async ({ page, stack }) => {
  for (let index = 0; index < 60; index += 1) await registerPack(stack, manifestOf(`paged-${index}`));
  await page.goto("/packs");
  await page.getByLabel("Pack").fill("PAGED-");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL("/packs?q=PAGED-");
  // The list that stood there before looks alike: more of that one would be gone when the found one comes.
  await page.reload();
  const rows = page.getByRole("row").filter({ has: page.getByRole("link") });
  await expect(rows).toHaveCount(50);
  await page.getByRole("button", { name: "Show more" }).press("Enter");
  await expect(rows).toHaveCount(60);
  await expect(rows.nth(50).getByRole("link")).toBeFocused();
  await expect(rows.nth(50)).toBeInViewport();
  await expect(page.getByText("60 shown, which is all")).toBeVisible();

  await page.goto("/packs?q=123");
  await expect(page.getByText("No pack matches “123”")).toBeVisible();
  await page.getByRole("link", { name: "Show all packs" }).click();
  await expect(page).toHaveURL("/packs");
});

test("an id of 300 characters and a manifest of 200 names break no layout", async ({ page, stack }) => {
  const packId = "x".repeat(300);
  const names = Array.from({ length: 200 }, (_, index) => `a-rather-long-name-of-a-tool-${index}`);
  await registerPack(stack, manifestOf(packId, "1.0.0", { providedTools: names, supportedTaskTypes: names }));
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const path of [
      "/",
      "/packs",
      `/packs/${packId}/versions/1.0.0`,
      `/packs/${packId}/versions/1.0.0?view=json`,
    ]) {
      await page.goto(path);
      await expect(page.getByText(packId).first()).toBeVisible();
      await expectNoSidewaysScroll(page, [width]);
    }
  }
});

test("a page whose data takes a while says what it waits for", async ({ page }) => {
  const answered = Promise.withResolvers<void>();
  await page.goto("/");
  await page.route(/\/trpc\/packs\.list/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.goto("/packs?q=slow");
  await expect(page.getByText("Waiting for Signalbox to answer…")).toBeVisible();
  answered.resolve();
  await expect(page.getByText("No pack matches “slow”")).toBeVisible();
});

test.describe("what is not there", () => {
  test.use({ expectedNoise: /status of (404|422)|The page cannot be given/ });

  test("a pack version that is not registered is named", async ({ page }) => {
    await page.goto("/packs/nobody/versions/9.9.9");
    await expect(page.getByText("This pack version is not registered")).toBeVisible();
    await expect(page.getByText("nobody")).toBeVisible();
  });

  test("a refusal is shown with its code and its request id, inside the shell", async ({ page }) => {
    await page.goto(`/packs?q=%00`);
    await expect(page.getByText("VALIDATION_FAILED")).toBeVisible();
    await expect(page.getByRole("button", { name: "Copy request id" })).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Pages" })).toBeVisible();
    await page.getByRole("link", { name: "Overview" }).click();
    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  });

  test("a search that cannot be made leaves its filters, and a way to the whole list", async ({ page }) => {
    for (const [name, field, all] of [
      ["Packs", "Pack", "Show all packs"],
      ["Pipelines", "Task, name or template", "Show all pipelines"],
      ["Escalations", "Task", "Show all that wait"],
    ] as const) {
      const path = `/${name.toLowerCase()}`;
      await page.goto(`${path}?q=%00`);
      await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
      await expect(page.getByRole("alert")).toContainText("must not contain the character U+0000");
      await page.getByRole("searchbox", { name: field, exact: true }).fill("nothing-is-called-so");
      await page.getByRole("searchbox", { name: field, exact: true }).press("Enter");
      await expect(page).toHaveURL(`${path}?q=nothing-is-called-so`);
      await expect(page.getByRole("alert")).toHaveCount(0);
      await page.goto(`${path}?q=%00`);
      await page.getByRole("link", { name: all }).click();
      await expect(page).toHaveURL(path);
      await expect(page.getByRole("alert")).toHaveCount(0);
    }
  });
});

test("a pack's id alone leads to its newest version, and what is no pack's to those that are like it", async ({
  page,
  stack,
}) => {
  for (const version of ["1.0.0", "1.1.0"]) await registerPack(stack, manifestOf("named-alone", version));
  await registerPack(stack, manifestOf("named-alone-not"));
  await page.goto("/packs/named-alone");
  await expect(page).toHaveURL("/packs/named-alone/versions/1.1.0");
  await page.goto("/packs/named-alone-n");
  await expect(page).toHaveURL("/packs?q=named-alone-n");
  await expect(page.getByRole("link", { name: "named-alone-not" })).toBeVisible();
});

test("an address that is no page says so, and leads back", async ({ page }) => {
  for (const address of ["/pipelines/%E0%A4%A", "/%", "/no/such/page"]) {
    await page.goto(address);
    await expect(page).toHaveTitle("No such page · Signalbox");
  }
  await page.getByRole("link", { name: "Go to the overview" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
});

test("an address leads nowhere else, and what it says wrongly is passed over", async ({ page }) => {
  const away: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(new URL(page.url()).origin) && page.url().startsWith("http"))
      away.push(request.url());
  });
  for (const next of [
    "https://elsewhere.example/x",
    "//elsewhere.example/y",
    "/\\elsewhere.example",
    "http://a@elsewhere.example/",
  ]) {
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`);
    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  }
  expect(away).toEqual([]);
  await page.goto("/sign-in?next=%2Fpacks%3Fq%3Dnothing");
  await expect(page).toHaveURL("/packs?q=nothing");
  await page.goto("/pipelines?status=NOPE&since=xx");
  await expect(page.getByRole("heading", { name: "Pipelines", level: 1 })).toBeVisible();
  await page.goto("/escalations?status=nope");
  await expect(page.getByRole("heading", { name: "Escalations", level: 1 })).toBeVisible();
  await expect(page.getByRole("option", { name: "nope" })).toHaveCount(0);
});

test.describe("a session that ended", () => {
  test.use({ expectedNoise: /status of 401|The caller is not known|Send a key|HTTP Authentication failed/ });

  test("leads to the sign-in page, and remembers the page", async ({ page, context, stack }) => {
    await registerPack(stack, manifestOf("seen-too-late"));
    await page.goto("/packs?q=seen-too-late");
    const link = page.getByRole("link", { name: /seen-too-late/ });
    await expect(link).toBeVisible();
    // The sign-in page's code, which hears of it, comes once the first page is shown.
    await page.waitForLoadState("networkidle");
    await context.clearCookies();
    // Pointing at it already asks for the page, and the refusal leads away, perhaps before a mouse has clicked.
    await link.dispatchEvent("click");
    await expect(page).toHaveURL(/\/sign-in\?next=%2Fpacks/);
    await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
    const told = page.getByRole("status").filter({ hasText: "You were signed out" });
    await expect(told).toBeVisible();
    await page.reload();
    await expect(told).toBeVisible();
    await page.goto("/sign-in?refused=constructor");
    await expect(page.getByRole("alert")).toContainText("Your organisation’s sign-in did not work out");
  });

  test("is told the same way by every form, and what was written in it is there afterwards", async ({
    page,
    context,
    session,
  }) => {
    for (const [path, label, button] of [
      ["/settings/keys", "Label", "Make the key"],
      ["/settings/members", "Name", "Invite"],
      ["/pipelines/submit", "Title", "Submit the task"],
      ["/settings", "Label", "Make the token"],
    ] as const) {
      await page.goto(path);
      await expect(page.getByRole("button", { name: button })).toBeVisible();
      await page.waitForLoadState("networkidle");
      const form = page
        .locator("main form")
        .filter({ has: page.getByRole("button", { name: button, exact: true }) });
      const fields = form.getByRole("textbox").or(form.locator("input[list]"));
      for (const field of await fields.all()) await field.fill("late@example.org");
      await context.clearCookies();
      await page.getByRole("button", { name: button }).click();
      await expect(page, path).toHaveURL(new RegExp(`/sign-in\\?next=${encodeURIComponent(path)}$`));
      await expect(page.getByText("You were signed out")).toBeVisible();
      await context.addCookies(session);
      await page.goto(path);
      await expect(page.getByLabel(label, { exact: true }).first()).toHaveValue("late@example.org");
    }
    await page.evaluate(() => window.sessionStorage.clear());
  });
});
