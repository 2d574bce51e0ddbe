import { AxeBuilder } from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

export type Theme = "light" | "dark";

/** Holds the page against all of axe's rules, in one theme. */
export async function expectNoViolation(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: "reduce" });
  // Between two themes colours are on their way, and a contrast that is read there is nobody's.
  await page.evaluate(async () => {
    const under = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    await Promise.allSettled(under.map(({ finished }) => finished));
  });
  // The pages have no frames, for which axe would open a blank page and load itself anew at every look.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`),
    theme,
  ).toEqual([]);
}

/** In both themes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const theme of ["dark", "light"] as const) await expectNoViolation(page, theme);
}

/** Whoever works by keyboard is somewhere, and not at the top of the page again. */
export async function expectFocus(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.tagName), { message: page.url() })
    .not.toBe("BODY");
}

/** Leaves the page as wide as the last of them. */
export async function expectNoSidewaysScroll(page: Page, widths: readonly number[]): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    // What is shown at which width is settled with a frame: until then the page may be laid out for the width before.
    const over = await page.evaluate(async () => {
      for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
      return document.documentElement.scrollWidth - document.documentElement.clientWidth;
    });
    expect(over, `${page.url()} at ${width} px`).toBe(0);
  }
}

/** Nothing that is read or pressed stands beyond the page's edges, but in a box that scrolls. */
export async function expectNothingCutOff(page: Page): Promise<void> {
  const lost = await page.evaluate(() => {
    const found: string[] = [];
    for (const element of document.querySelectorAll("body *")) {
      const { left, right, width } = element.getBoundingClientRect();
      if (width <= 1 || (right <= innerWidth + 1 && left >= -1)) continue;
      const says = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== "",
      );
      if (!says && !element.matches("a, button, input, select, textarea")) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest(".sr-only, [aria-hidden=true]") !== null) continue;
      let box: Element | null = element;
      while (box !== null && !["auto", "scroll"].includes(getComputedStyle(box).overflowX))
        box = box.parentElement;
      if (box === null) found.push(element.outerHTML.slice(0, 200));
    }
    return found;
  });
  expect(lost, page.url()).toEqual([]);
}
