import { expect, test } from "../journey.ts";

test("/docs shows what the server offers, under the same content security policy, from this origin alone", async ({
  page,
  baseURL,
}) => {
  const elsewhere: string[] = [];
  page.on("request", (request) => {
    const url = new URL(request.url());
    if (url.protocol !== "data:" && url.origin !== baseURL) elsewhere.push(request.url());
  });
  await page.goto("/docs");
  await expect(page.getByRole("heading", { name: /^Signalbox/ })).toBeVisible();
  const submit = page.getByRole("button", { name: /POST \/v1\/tasks/ }).first();
  await submit.click();
  await expect(page.getByText("By a template, or by a task type alone").first()).toBeVisible();
  await expect(page.getByText("Greet by name").first()).toBeVisible();
  expect(elsewhere).toEqual([]);
});

test("/docs is as dark as the other pages: as the system says, and as was chosen there", async ({ page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("/docs");
  await expect(page.getByRole("heading", { name: /^Signalbox/ })).toBeVisible();
  expect(await ground()).toBe("dark");
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(ground).toBe("normal");
  await page.evaluate(() => localStorage.setItem("signalbox.theme", "dark"));
  await page.reload();
  await expect(page.getByRole("heading", { name: /^Signalbox/ })).toBeVisible();
  expect(await ground()).toBe("dark");
});
