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
