import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { expectNoSidewaysScroll, expectNothingCutOff } from "../accessible.ts";
import { startYard, type Yard } from "../agents.ts";
import { fill } from "../forms/long-content.ts";
import { type Found, type Row, rows } from "../forms/rows.ts";
import { expect, ownStack, type Page } from "../journey.ts";
import type { Stack } from "../stack.ts";

/**
 * Every page in its four forms: with nothing in it, while its data is on the way, when it cannot be had, and with content
 * that is longer than anybody wants. One table, held against the routes: a page that has no row here fails.
 */
const { signedInTest: test } = ownStack("forms");
test.describe.configure({ mode: "serial" });
test.use({ expectedNoise: /status of (404|412)|Not for now/ });

/** Nobody is signed in there, or they are no page: their forms are in first-day.spec.ts and accounts.spec.ts. */
const elsewhere = ["/invitation", "/set-up", "/sign-in", "/$", "/settings/", "/packs/$packId/"];

const heading = (page: Page, { heading: name }: Row): Locator =>
  page.getByRole("heading", { name, level: 1 });
/** Of a pipeline that is there, and has none of it. */
const needsPipeline = ["attempts", "artifacts", "trace"].map((part) => `/pipelines/$pipelineId/${part}`);
const main = (page: Page) => page.getByRole("main");

test("every page has a row, and every row its four forms", () => {
  const tree = readFileSync(join(import.meta.dirname, "../../apps/web/src/route-tree.gen.ts"), "utf8");
  const listed = /fullPaths:\s*((?:\| "[^"]+"\s*)+)/.exec(tree)?.[1] ?? "";
  const routes = [...listed.matchAll(/"([^"]+)"/g)].map((match) => match[1] ?? "");
  expect(routes.length).toBeGreaterThan(25);
  expect(new Set([...Object.keys(rows), ...elsewhere])).toEqual(new Set(routes));
});

const nothing: Found = { pipelineId: "", unsentId: "", escalationId: "", entryId: "", proposalId: "" };
let yard: Yard | undefined;
let found: Promise<Found> | undefined;

/** Made by whichever test asks first, so that each can be run by itself. */
const filled = (page: Page, stack: Stack): Promise<Found> =>
  (found ??= startYard(stack).then((started) => fill((yard = started), stack, page)));

test("empty: a page that has nothing to show says so, and what to do", async ({ page }) => {
  for (const [route, row] of Object.entries(rows)) {
    if ("never" in row.empty || needsPipeline.includes(route)) continue;
    await page.goto((row.empty.at ?? row.path)(nothing));
    await expect.soft(main(page), route).toContainText(row.empty.says);
  }
});

test("long: whatever somebody sends is read to its end, and moves nothing off the page", async ({
  page,
  stack,
}) => {
  const made = await filled(page, stack);
  for (const route of needsPipeline) {
    const row = rows[route];
    if (row === undefined || "never" in row.empty) throw new Error(`${route} has no empty form`);
    await page.goto((row.empty.at ?? row.path)(made));
    await expect(main(page).getByText(row.empty.says).first(), route).toBeVisible();
  }
  for (const [route, row] of Object.entries(rows)) {
    if ("never" in row.long) continue;
    await page.goto((row.long.at ?? row.path)(made));
    await expect.soft(main(page), route).toContainText(row.long.says);
    for (const size of [
      { width: 360, height: 740 },
      // What 200 % zoom leaves of 1280 by 900.
      { width: 640, height: 450 },
    ]) {
      await page.setViewportSize(size);
      await expectNoSidewaysScroll(page, [size.width]);
      await expectNothingCutOff(page);
    }
  }
});

/** What the page asks for; who asks, and whether the server is well, is asked by its frame. */
const asksForPage = (url: string) =>
  new URL(url).pathname
    .replace("/trpc/", "")
    .split(",")
    .some((name) => !/^(session|system)\./.test(name));

test("loading: while its data is on the way a page says so, and comes by itself", async ({ page, stack }) => {
  const made = await filled(page, stack);
  for (const [route, row] of Object.entries(rows)) {
    if (row.readsNothing !== undefined) continue;
    const gate = Promise.withResolvers<void>();
    await page.route(/\/trpc\//, async (call) => {
      if (asksForPage(call.request().url())) await gate.promise;
      await call.continue();
    });
    await page.goto(row.path(made));
    await expect
      .soft(page.getByText(/Waiting for Signalbox|^Reading |on its way/).first(), route)
      .toBeVisible();
    gate.resolve();
    await expect.soft(heading(page, row), route).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
  }
});

test("error: a page whose data cannot be had says why, and tries again when it is asked to", async ({
  page,
  stack,
}) => {
  const made = await filled(page, stack);
  for (const [route, row] of Object.entries(rows)) {
    if (row.readsNothing !== undefined) continue;
    await page.route(/\/trpc\//, async (call) => {
      if (!asksForPage(call.request().url())) return call.continue();
      const names = new URL(call.request().url()).pathname.split(",");
      const problem = { code: "FAILED_PRECONDITION", title: "It was refused", detail: "Not for now." };
      const data = { code: "PRECONDITION_FAILED", httpStatus: 412, problem };
      const error = { message: "Not for now.", code: -32_012, data };
      return call.fulfill({ status: 412, json: names.map(() => ({ error })) });
    });
    await page.goto(row.path(made));
    await expect.soft(main(page).getByText("Not for now.").first(), route).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
    await main(page).getByRole("button", { name: "Try again" }).first().click();
    await expect.soft(heading(page, row), route).toBeVisible();
    await expect.soft(main(page).getByText("Not for now."), route).toHaveCount(0);
  }
});

test.afterAll(() => yard?.stop());
