import { expectFocus, expectNoSidewaysScroll } from "../accessible.ts";
import { expect, signedInTest as test, type Page } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";

/** Presses Tab until the control has the focus, as a person without a mouse would. */
async function tabTo(
  page: Page,
  role: "link" | "button" | "searchbox",
  name: string | RegExp,
): Promise<void> {
  const control = page.getByRole(role, { name }).first();
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press("Tab");
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Tab does not reach the ${role} ${name}`);
}

const focusRing = (page: Page) =>
  page.evaluate(() => {
    const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body);
    return { style: outlineStyle, width: Number.parseFloat(outlineWidth) };
  });

test("from the overview to a pack's JSON and out again, by keyboard alone", async ({ page, stack }) => {
  await registerPack(stack, manifestOf("keyboard-reviewer"));
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();

  await test.step("the first stop skips to the page", async () => {
    await page.keyboard.press("Tab");
    await expect(page.getByRole("link", { name: "Skip to the page" })).toBeFocused();
    await expect(page.getByRole("link", { name: "Skip to the page" })).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("main")).toBeFocused();
  });

  await test.step("every stop shows where the focus is", async () => {
    await page.reload();
    await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
    const stops: unknown[] = [];
    while (stops.length < 40) {
      await page.keyboard.press("Tab");
      if (await page.evaluate(() => document.activeElement === document.body)) break;
      stops.push(await focusRing(page));
    }
    expect(stops.length).toBeGreaterThan(5);
    expect(stops).toEqual(stops.map(() => ({ style: "solid", width: 2 })));
  });

  await test.step("a page that was gone to has the focus", async () => {
    await page.reload();
    await tabTo(page, "link", "Packs");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Packs", level: 1 })).toBeVisible();
    await expect(page.getByRole("main")).toBeFocused();
  });

  await test.step("searching, opening, reading", async () => {
    await tabTo(page, "searchbox", "Pack");
    await page.keyboard.type("keyboard");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL("/packs?q=keyboard");
    await tabTo(page, "link", /keyboard-reviewer/);
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "keyboard-reviewer", level: 1 })).toBeVisible();
    await tabTo(page, "link", "JSON");
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/view=json/);
  });

  await test.step("going back and forth through all of it, the focus is somewhere each time", async () => {
    for (const way of ["back", "back", "forward", "forward"] as const) {
      await (way === "back" ? page.goBack() : page.goForward());
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expectFocus(page);
    }
  });
});

test("a dialog gives the focus back, and a row that goes away hands it to the row behind", async ({
  page,
  stack,
}) => {
  for (const label of ["first", "second", "third"]) {
    const made = await page.request.post("/v1/keys", {
      headers: { origin: stack.origin },
      data: { label: `${label} of the focus`, role: "viewer" },
    });
    expect(made.ok(), await made.text()).toBe(true);
  }
  await page.goto("/settings/keys");
  const revoke = (label: string) =>
    page.getByRole("button", { name: `Revoke the key ${label} of the focus` });
  await revoke("second").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: /^Revoke/ });
  await expect(dialog).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(revoke("second")).toBeFocused();

  await page.keyboard.press("Enter");
  await dialog.getByRole("button", { name: "Revoke" }).focus();
  await page.keyboard.press("Enter");
  await expect(revoke("second")).toHaveCount(0);
  await expect(page.locator(":focus")).toHaveAccessibleName(/^Revoke the key (first|third) of the focus$/);
  expect(await focusRing(page)).toEqual({ style: "solid", width: 2 });
});

test("what is hidden or may not be written in any more hands the focus on; who presses beside it has left it", async ({
  page,
  stack,
}) => {
  await registerPack(stack, manifestOf("focus-reviewer"));
  await page.goto("/packs");
  // By its role it would not be found while it is hidden.
  const search = page.locator("main input[type=search]");
  const afterwards = async (change: (field: HTMLElement) => void) => {
    await search.focus();
    await search.evaluate(change);
    await expect(page.getByRole("button", { name: "Search" })).toBeFocused();
  };
  await afterwards((field) => field.setAttribute("disabled", ""));
  await search.evaluate((field) => field.removeAttribute("disabled"));
  await afterwards((field) => (field.style.visibility = "hidden"));
  const tag = await page.getByRole("button", { name: "Search" }).evaluate(async (button: HTMLElement) => {
    button.blur();
    await new Promise((left) => setTimeout(left));
    button.remove();
    await new Promise((gone) => setTimeout(gone));
    return document.activeElement?.tagName;
  });
  expect(tag).toBe("BODY");
});

test("on a narrow screen the line map shows the page one is on, however far along the line", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto("/");
  const station = (name: string) =>
    page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true });
  await expect(station("Overview")).toBeInViewport();
  await expect(station("Settings")).not.toBeInViewport();
  // Not by the pointer, for which the link would be scrolled to.
  await station("Settings").dispatchEvent("click");
  await expect(page.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await expect(station("Settings")).toBeInViewport();
  await page.reload();
  await expect(station("Settings")).toBeInViewport();
});

test("with reduced motion nothing is on its way for longer than a frame", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  for (const path of ["/", "/pipelines", "/settings/gates"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const longest = await page.evaluate(() =>
      Math.max(
        0,
        ...[...document.querySelectorAll("*")].flatMap((element) => {
          const { transitionDuration, animationDuration } = getComputedStyle(element);
          return `${transitionDuration},${animationDuration}`.split(",").map((one) => Number.parseFloat(one));
        }),
      ),
    );
    expect(longest).toBeLessThan(0.02);
  }
});

test("the theme follows the system until somebody chooses, and the choice is kept", async ({ page }) => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/");
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await background();
  expect(dark).not.toBe(light);

  await tabTo(page, "button", /^Theme: as the system/);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: /^Theme: light/ })).toBeFocused();
  expect(await background()).toBe(light);
  await page.reload();
  expect(await background()).toBe(light);
});

test("the palette goes anywhere by keyboard, and gives the focus back", async ({ page, stack }) => {
  await registerPack(stack, manifestOf("palette-reviewer"));
  await page.goto("/packs");
  const search = page.getByRole("searchbox", { name: "Pack" });
  await search.focus();
  await expect(page.getByRole("button", { name: /^Go to/ })).toBeVisible();
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: /^Page/ })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(search).toBeFocused();

  await page.keyboard.press("Control+k");
  await page.keyboard.type("redac");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/settings/redaction");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("palette-rev");
  await page.getByRole("option", { name: /palette-reviewer Pack/ }).waitFor();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/packs?q=palette-reviewer");
  await expect(page.getByRole("row", { name: /palette-reviewer/ })).toBeVisible();

  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeHidden();

  // As at 360 px, and as 1280 px look at 200%: what the keys open is there for who has none.
  for (const width of [360, 640]) {
    await page.setViewportSize({ width, height: 740 });
    // On one line, with everything else that stands there.
    expect((await page.getByRole("banner").boundingBox())?.height).toBeLessThan(64);
    await page.getByRole("button", { name: /^Go to/ }).click();
    await page.getByRole("button", { name: "All keys" }).click();
    await page.getByRole("button", { name: "Close" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expectNoSidewaysScroll(page, [width]);
  }
});
