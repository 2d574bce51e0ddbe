import { expect, type Page } from "@playwright/test";
import { type Figure, percentile } from "../measure/figures.ts";
import { framesWhileScrolling, interactionTimes } from "../measure/frames.ts";
import { publishTemplates, submitTask } from "../../rest.ts";
import type { World } from "../world.ts";

const PIPELINES = 10_000;
const AT_ONCE = 32;

/** Ten thousand pipelines, all of them loaded into the list, scrolled, walked by keyboard, and moved by what happens. */
export async function manyPipelines({ stack, page }: World): Promise<Figure[]> {
  await publishTemplates(stack);
  let left = PIPELINES;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) await submitTask(stack, "implement-and-review");
    }),
  );
  const began = performance.now();
  await page.goto("/pipelines");
  const rows = page.getByRole("list", { name: "Pipelines, the newest first" }).getByRole("listitem");
  await expect(rows.first()).toBeVisible();
  const first = performance.now() - began;
  const frames = await framesWhileScrolling(page, "in the list, its first pages", 60);
  return [
    { name: "the list of 10,000, from the address to its first rows", value: first, unit: "ms" },
    ...frames,
    ...(await wholeList(page)),
  ];
}

async function wholeList(page: Page): Promise<Figure[]> {
  const began = performance.now();
  const shown = page.locator("output", { hasText: / shown/ });
  const all = new RegExp(`^${PIPELINES} shown`);
  // As somebody does who holds down the End key: the list reads on by itself.
  while (!all.test((await shown.textContent()) ?? "")) await page.keyboard.press("End");
  const whole = performance.now() - began;
  await page.evaluate(() => scrollTo(0, 0));
  const frames = await framesWhileScrolling(page, "in the whole list");
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight / 2));
  const keys = await interactionTimes(page, async () => {
    for (let press = 0; press < 40; press += 1) {
      await page.keyboard.press("j");
      await page.waitForTimeout(30);
    }
  });
  return [
    { name: "until all of them are in the list", value: whole / 1000, unit: "s" },
    ...frames,
    {
      name: "a row further by keyboard, p95",
      value: percentile(keys, 0.95),
      unit: "ms",
      wanted: { atMost: 100 },
    },
  ];
}
