import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, ownStack } from "../journey.ts";

const { test } = ownStack("first-day");
const run = promisify(execFile);

test.describe.configure({ mode: "serial" });
test.use({ permissions: ["clipboard-read", "clipboard-write"] });

test("signed out, every page leads to the sign-in page and remembers where one wanted to go", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page).toHaveURL(/\/sign-in$/);
  await page.goto("/packs?q=reviewer");
  await expect(page).toHaveURL("/sign-in?next=%2Fpacks%3Fq%3Dreviewer");
  await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
  await expect(page).toHaveTitle("Sign in · Signalbox");
  await expect(page.getByText("npm start")).toBeVisible();
});

test("what is not a link is said to be none, before anybody is asked", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Sign-in link").fill("two words");
  await page.getByRole("button", { name: "Use the link" }).click();
  await expect(page.getByRole("alert")).toContainText("not a sign-in link");
});

test.describe(() => {
  test.use({ expectedNoise: /status of 401/ });

  test("an unknown link is refused, and the page says what to do", async ({ page }) => {
    await page.goto("/sign-in#never-printed");
    await expect(page.getByText("This link cannot be used")).toBeVisible();
    await expect(page).toHaveURL(/\/sign-in$/);
    await expect(page.getByText("npm start")).toBeVisible();
  });
});

test("the link of the start, pasted, signs in and goes on to the page one wanted; nothing of it stays in the URL", async ({
  page,
  stack,
  context,
}) => {
  const waiting = await context.newPage();
  await waiting.goto("/packs?q=waiting");
  await expect(waiting).toHaveURL(/\/sign-in/);
  await page.goto("/packs");
  await page.getByLabel("Sign-in link").fill(stack.signInLink());
  await page.getByRole("button", { name: "Use the link" }).click();
  await expect(page.getByRole("heading", { name: "Packs", level: 1 })).toBeVisible();
  expect(page.url()).toBe(`${stack.origin}/packs`);

  await expect(waiting, "a tab that waits at the sign-in page goes on by itself").toHaveURL(
    "/packs?q=waiting",
  );

  const [cookie] = await context.cookies();
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
  expect(
    await page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])),
  ).not.toContain(new URL(stack.signInLink()).hash.slice(1));
});

test.describe(() => {
  test.use({ expectedNoise: /status of 401/ });

  test("the same link cannot be used twice", async ({ page, stack }) => {
    await page.goto(stack.signInLink());
    await expect(page.getByText("This link cannot be used")).toBeVisible();
    await expect(page).toHaveURL(`${stack.origin}/sign-in`);
  });
});

test.describe("the first day", () => {
  test.use({ expectedNoise: /ERR_INTERNET_DISCONNECTED/ });

  test("a new start prints a new link; opened, it signs in, and the overview says that all is clear", async ({
    page,
    stack,
  }) => {
    await stack.stop();
    await stack.start();

    await test.step("a link that found nobody is not used up", async () => {
      await page.route("**/v1/session", (route) => route.abort("internetdisconnected"), { times: 1 });
      await page.goto(stack.signInLink());
      await expect(page.getByText("Your link has not been used up.")).toBeVisible();
      expect(page.url()).toBe(`${stack.origin}/sign-in`);
      await page.getByRole("button", { name: "Try again" }).click();
    });

    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
    expect(page.url()).toBe(`${stack.origin}/`);
    await expect(page.getByText("Every check is clear: Signalbox is ready.")).toBeVisible();
    const readiness = page.getByRole("list", { name: "Readiness" }).getByRole("listitem");
    await expect(readiness).toHaveText([
      /Line\s*Clear/,
      /Process\s*Clear/,
      /Database\s*Clear/,
      /Schema\s*Clear/,
      /Loops\s*Clear/,
    ]);

    await test.step("the command that the page shows registers a pack", async () => {
      const guide = page.getByRole("region", { name: "What to do next: register a pack" });
      await guide.getByRole("button", { name: "Copy the command that registers an example pack" }).click();
      await expect(guide.getByText("Copied").first()).toBeVisible();
      const command = await page.evaluate(() => navigator.clipboard.readText());
      await run("sh", ["-c", command], { env: { ...process.env, SIGNALBOX_KEY: stack.key } });
    });

    await test.step("and there it is, without anybody looking again", async () => {
      await page.getByRole("link", { name: "code-reviewer version 1.0.0" }).click();
      await expect(page.getByRole("heading", { name: "code-reviewer", level: 1 })).toBeVisible();
      await expect(page.getByText("30 minutes")).toBeVisible();
    });

    await test.step("signing out ends the session, in the other tab too", async () => {
      const other = await page.context().newPage();
      await other.goto("/packs");
      await page.getByRole("button", { name: "Sign out" }).click();
      await expect(page).toHaveURL(`${stack.origin}/sign-in`);
      await expect(other).toHaveURL(`${stack.origin}/sign-in`);
      await page.goto("/packs");
      await expect(page).toHaveURL(/\/sign-in/);
    });
  });
});
