import type { Page } from "@playwright/test";
import { expect, ownStack } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";

const { signedInTest: test } = ownStack("connection");

// The browser itself reports each call that found nobody, or that was cut off.
test.use({
  expectedNoise:
    /ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|WebSocket connection to|status of 503|Failed to fetch/,
});

const connectionOf = (page: Page) => page.getByRole("status", { name: "Connection" });
const notice = (page: Page) =>
  page.getByRole("alert").filter({ hasText: "The connection to Signalbox is lost" });

/** A reload would lose it. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { neverReloaded: true }) && undefined);
const isMarked = (page: Page) => page.evaluate(() => "neverReloaded" in window);

test.beforeAll(async ({ stack }) => {
  await registerPack(stack, manifestOf("asked-for-too-early"));
});

test.beforeEach(async ({ page }) => {
  await page.goto("/");
  await expect(connectionOf(page)).toHaveText("Live");
  // The other pages' code comes once the first is shown; a server killed before that takes it with it.
  await page.waitForLoadState("networkidle");
  await mark(page);
});

test("a stopped server is shown as a lost connection; started again, the page goes on without a reload", async ({
  page,
  stack,
}) => {
  const readiness = page.getByRole("list", { name: "Readiness" }).getByRole("listitem");
  const started = page.getByRole("definition").filter({ has: page.locator("time") });
  const startedBefore = await started.textContent();

  await stack.stop("SIGTERM");
  await expect(connectionOf(page)).toHaveText("Connection lost");
  await expect(notice(page)).toContainText("no need to reload");
  await expect(readiness.nth(0)).toHaveText(/Line\s*Lost/);
  await expect(readiness.nth(2)).toHaveText(/Database\s*No reading/);

  await stack.start();
  await expect(connectionOf(page)).toHaveText("Live");
  await expect(notice(page)).toBeHidden();
  await expect(readiness.nth(2)).toHaveText(/Database\s*Clear/);
  await expect(started).not.toHaveText(startedBefore ?? "");
  expect(await isMarked(page)).toBe(true);
});

test("a killed server is noticed as well, and a page that could not be loaded comes by itself when it is back", async ({
  page,
  stack,
}) => {
  await stack.stop("SIGKILL");
  await expect(notice(page)).toBeVisible();
  await page.getByRole("link", { name: "asked-for-too-early version 1.0.0" }).click();
  await expect(page.getByRole("heading", { name: "Signalbox cannot be reached" })).toBeVisible();

  await stack.start();
  await expect(connectionOf(page)).toHaveText("Live");
  await expect(page.getByRole("heading", { name: "asked-for-too-early", level: 1 })).toBeVisible();
  expect(await isMarked(page)).toBe(true);
});

test("a page whose code was asked for while nobody answered comes all the same", async ({ page }) => {
  const code = "**/assets/alerts-*.js";
  await page.route(code, (route) => route.abort("connectionrefused"));
  const refused = page.waitForEvent("requestfailed");
  await page.reload();
  await refused;
  await page.unroute(code);
  await page.getByRole("link", { name: "Alerts" }).click();
  await expect(page.getByRole("heading", { name: "Alerts", level: 1 })).toBeVisible({ timeout: 15_000 });
});

test("what failed while nobody answered is not told as if it were so now, and is read and checked anew", async ({
  page,
  stack,
}) => {
  await page.goto("/policies/edit");
  await expect(page.getByText(/^No faults/)).toBeVisible();
  await page.getByLabel("Version", { exact: true }).fill("1.2.0");
  await expect(page.getByText(/^No faults/)).toBeVisible();
  await stack.stop("SIGTERM");
  await page.keyboard.press("Control+s");
  const failure = page.getByText("Signalbox cannot be reached");
  await expect(failure).toBeVisible();
  await page.getByLabel("Most stages in the queue").fill("9");
  await expect(failure).toHaveCount(2);
  await stack.start();
  await expect(connectionOf(page)).toHaveText("Live");
  await expect(failure).toHaveCount(0);
  // The check was asked anew by itself; that the draft is not saved is left to say.
  await expect(page.getByText("Signalbox answers again")).toHaveCount(1);
  await expect(page.getByText(/^No faults/)).toBeVisible();
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Saved as a draft.")).toBeVisible();
  await expect(page.getByText("Signalbox answers again")).toHaveCount(0);
});
