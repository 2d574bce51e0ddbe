import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { startYard, type Yard } from "../agents.ts";
import { expect, ownStack, type Page } from "../journey.ts";
import { secret } from "../scripted-work.ts";

const { signedInTest: test } = ownStack("attempts");
let yard: Yard;

test.beforeAll(async ({ stack }) => {
  yard = await startYard(stack);
});
test.afterAll(() => yard.stop());

const log = (page: Page) => page.getByRole("log", { name: "What the agent told of its work" });
const rail = (page: Page) => page.getByRole("navigation", { name: "Attempts" });

async function expectNoSecret(page: Page): Promise<void> {
  const told = await page.evaluate(() =>
    [
      document.documentElement.outerHTML,
      location.href,
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)]),
    ].join("\n"),
  );
  expect(told).not.toContain(secret);
  expect(told).not.toContain(secret.slice(4));
}

test("an attempt is followed live, its secrets are marks, and the one before shows why its gate failed it", async ({
  page,
}) => {
  const { pipelineId, taskId } = await yard.submit({
    script: { "feature-implementation": ["fails-its-gate", "leaks"] },
  });

  await test.step("live: thoughts, a masked line, and what comes later without a reload", async () => {
    await expect
      .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)))
      .toContain('"attemptNumber":2');
    await page.goto(`/pipelines/${pipelineId}/attempts?stage=implement&attempt=2`);
    await expect(log(page)).toContainText("first I read what is there.");
    await expect(log(page).locator("mark").first()).toContainText("masked: github-token");
    await expect(log(page)).not.toContainText("# tests 12");
    yard.letGo(taskId);
    await expect(log(page)).toContainText("# tests 12");
    await expect(log(page).locator("div", { hasText: /^Tool/ }).first()).toContainText("done");
    await expect(rail(page).getByRole("link", { name: /Attempt 2 Passed its gate/ })).toBeVisible();
    await expectNoSecret(page);
  });

  await test.step("the log shows one kind alone, and its address keeps it", async () => {
    await page.getByLabel("Show").selectOption("Terminal");
    await expect(page).toHaveURL(/show=terminal/);
    await expect(log(page)).not.toContainText("first I read");
    await page.reload();
    await expect(log(page)).toContainText("TAP version 13");
    await expect(log(page)).not.toContainText("first I read");
  });

  await test.step("the turns, with how sure the agent was", async () => {
    await page.getByRole("link", { name: "Turns" }).click();
    await expect(
      page.getByText(/Confidence over 2 turns: last 90 % at turn 1, lowest 80 % at turn 0/),
    ).toBeVisible();
    await expect(page.getByRole("article", { name: "Turn 1" })).toContainText("12 tests were run.");
  });

  await test.step("by keyboard to the attempt before: six checks, each with what it rests on", async () => {
    await rail(page)
      .getByRole("link", { name: /Attempt 2 Passed/ })
      .focus();
    await page.keyboard.press("k");
    await expect(rail(page).getByRole("link", { name: /Attempt 1 Failed its gate/ })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "implement, attempt 1" })).toBeVisible();
    await page.getByRole("link", { name: "Result and gate" }).click();
    await expect(page).toHaveURL(/stage=implement&attempt=1&view=result/);
    const checks = page.getByRole("list", { name: "Checks" }).getByRole("listitem");
    await expect(checks).toHaveCount(6);
    await expect(checks.filter({ hasText: "failed" }).first()).toContainText("evidence");
    await expect(checks.filter({ hasText: /^tests/ })).toContainText(`"node --test" failed`);
    await page.getByText("test failed").click();
    await expect(page.locator("pre", { hasText: /^# tests 12/ })).toContainText("# fail 1");
  });

  await test.step("what the second attempt was told that the first was not, and what it handed on", async () => {
    await page.goto(`/pipelines/${pipelineId}/attempts?stage=implement&attempt=2&view=context`);
    const told = page.getByRole("table", { name: /against attempt 1/ });
    await expect(told.getByRole("row", { name: /new:/ }).first()).toContainText("node --test");
    await expect(page.getByRole("table", { name: "Context that the result hands on" })).toContainText(
      "feature-implementation is done",
    );
    await expectNoSecret(page);
  });

  await test.step("what came of it: each file with the stage that says so, and the way to its result", async () => {
    await page.getByRole("navigation", { name: "Parts of the pipeline" }).getByText("Artifacts").click();
    const file = page.getByRole("list", { name: "Artifacts" }).getByRole("listitem").first();
    await expect(file).toContainText("src/numbers.js");
    await expect(file).toContainText("modified by implement");
    await file.getByRole("link", { name: "implement" }).click();
    await expect(page).toHaveURL(/stage=implement&attempt=2&view=result/);
  });

  await test.step("the trace is zoomed by key, button and wheel, and no label lies on another at any width", async () => {
    // As if nobody had answered for three hours: what ends late did so three hours later.
    await page.route(/pipelineDetail\.trace/, async (route) => {
      const answer = await route.fetch();
      const text = await answer.text();
      const moments = [...text.matchAll(/"startedAt":"([^"]+)"/g)].map(([, at]) => Date.parse(at ?? ""));
      const middle = (Math.min(...moments) + Math.max(...moments)) / 2;
      await route.fulfill({
        response: answer,
        body: text.replaceAll(/"(startedAt|endedAt)":"([^"]+)"/g, (whole, name: string, moment: string) =>
          Date.parse(moment) > middle ? `"${name}":"${threeHoursAfter(moment)}"` : whole,
        ),
      });
    });
    await page.goto(`/pipelines/${pipelineId}/trace`);
    const waterfall = page.getByRole("region", { name: "Waterfall" });
    const shown = waterfall.getByRole("status");
    await expect(shown).toHaveText("All of 3 h");
    await expect(page.getByRole("checkbox", { name: "Waits drawn short" })).toBeChecked();
    await expect(waterfall.getByTitle(/^3 h in which nothing worked/).first()).toBeAttached();
    const tree = page.getByRole("tree", { name: "Spans of the trace" });
    await tree.focus();
    await page.keyboard.press("+");
    await expect(shown).toHaveText(/^(?!All).+ of 3 h$/);
    await page.keyboard.press("0");
    await expect(shown).toHaveText("All of 3 h");
    await tree
      .getByRole("treeitem", { name: /^dispatch decision/ })
      .first()
      .click();
    await page.getByRole("button", { name: "Zoom to this span" }).click();
    await expect(shown).toHaveText(/^[\d.]+ m?s of 3 h$/);
    await expect(page).toHaveURL(/span=\w+&from=[\d.]+&until=[\d.]+$/);
    const zoomed = (await shown.textContent()) ?? "";
    const address = page.url();
    // Whoever is sent the address, and who comes back to it, sees the same; what is no time of this trace is all of it.
    await page.getByRole("link", { name: "Stages" }).click();
    await page.goBack();
    await expect(shown).toHaveText(zoomed);
    await page.reload();
    await expect(shown).toHaveText(zoomed);
    await expect(page).toHaveURL(address);
    await page.goto(`/pipelines/${pipelineId}/trace?from=9e9&until=<b>&waits=very&span=`);
    await expect(shown).toHaveText("All of 3 h");
    await page.goto(`/pipelines/${pipelineId}/trace?from=90000000000&until=90000000001`);
    await expect(shown).toHaveText("All of 3 h");
    await expect(page).toHaveURL(new RegExp(`/${pipelineId}/trace$`));
    await tree.hover();
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -300);
    await page.keyboard.up("Control");
    await expect(shown).toHaveText(/^(?!All).+ of 3 h$/);
    await page.getByRole("button", { name: "Fit" }).click();
    for (const width of [360, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(() => page.locator("[data-axis] .axis-tick").evaluateAll(lieApart), `labels at ${width} px`)
        .toBe(true);
      await expect(tree.getByText("agent execution 2")).toBeVisible();
      await expectNoSidewaysScroll(page, [width]);
    }
    await page.setViewportSize({ width: 360, height: 900 });
    const name = tree.getByText(/^tool call/).first();
    expect(await name.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
    await page.setViewportSize({ width: 1280, height: 900 });
    await tree
      .getByRole("treeitem", { name: /^tool call/ })
      .first()
      .click();
    await expect(page.getByText("from when Signalbox heard that it began")).toBeVisible();
    await expect(page.getByText("Took by the agent’s clock")).toBeVisible();
    await page.unroute(/pipelineDetail\.trace/);
  });

  await test.step("the trace, walked by keyboard; the address names the span", async () => {
    await page.goto(`/pipelines/${pipelineId}/trace`);
    const tree = page.getByRole("tree", { name: "Spans of the trace" });
    await tree.focus();
    await page.keyboard.press("j");
    await expect(tree.getByRole("treeitem", { selected: true })).toHaveAccessibleName(/^stage implement/);
    await expect(page.getByRole("heading", { name: "stage implement" })).toBeVisible();
    await expect(page).toHaveURL(/span=[0-9a-f]{16}/);
    await expect(tree.getByRole("treeitem", { name: /^agent execution 2/ })).toBeVisible();
    await expect(tree.getByRole("treeitem", { name: /^tool call \S+ ok/ }).first()).toBeVisible();
    await page.keyboard.press("ArrowLeft");
    await expect(tree.getByRole("treeitem", { selected: true })).toHaveAttribute("aria-expanded", "false");
    await expect(tree.getByRole("treeitem", { name: /^agent execution 2/ })).toHaveCount(0);
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect(tree.getByRole("treeitem", { selected: true })).toHaveAccessibleName(/^dispatch decision/);
    await page.reload();
    await expect(page.getByRole("heading", { name: "dispatch decision" })).toBeVisible();
    await expect(page.getByText("senior-python-dev-1").first()).toBeVisible();
    await page.getByRole("link", { name: "Open attempt 1 of implement" }).click();
    await expect(page.getByRole("heading", { name: "implement, attempt 1" })).toBeVisible();
  });
});

test("thousands of events stay a few rows in the page, from either end and from a turn", async ({ page }) => {
  const { pipelineId, taskId } = await yard.submit({ script: { "feature-implementation": ["waits"] } });
  const dispatchId = `${pipelineId}-d0.1`;
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}/turns`)))
    .toContain(dispatchId);
  const timestamp = "2026-02-21T09:30:00Z";
  const lines = Array.from({ length: 1_500 }, (_, index) => ({
    event_id: crypto.randomUUID(),
    session_id: "long",
    turn_index: 7 + Math.floor(index / 500),
    sequence: index % 500,
    payload: { type: "SANDBOX_PULSE", line: `line ${index}`, masked: false, timestamp },
  }));
  for (const events of [lines.slice(0, 1_000), lines.slice(1_000)])
    await yard.rest("POST", `/v1/dispatches/${dispatchId}/events`, { events });

  const address = `/pipelines/${pipelineId}/attempts?stage=implement&attempt=1&show=terminal`;
  await page.goto(address);
  await expect(log(page)).toContainText("line 1499");
  expect(await log(page).locator("p").count()).toBeLessThan(120);
  await page.getByRole("button", { name: "From the start" }).click();
  await expect(log(page)).toContainText("line 0");
  await expect(log(page)).not.toContainText("line 1499");
  await log(page).focus();
  for (const seen of [1, 2, 3]) {
    await page.keyboard.press("End");
    await expect
      .poll(async () => Number(await log(page).getAttribute("data-rows")))
      .toBeGreaterThan(200 * seen);
  }
  await page.goto(`${address}&from=8`);
  await expect(log(page)).toContainText("line 500");
  await expect(log(page)).toContainText("Turn 8");
  yard.letGo(taskId);
});

const threeHoursAfter = (moment: string) => new Date(Date.parse(moment) + 3 * 3_600_000).toISOString();

/** Each label is inside the axis, and ends before the next begins. */
const lieApart = (labels: Element[]): boolean =>
  labels.length > 0 &&
  labels.every((label, index) => {
    const range = document.createRange();
    range.selectNodeContents(label);
    const { right } = range.getBoundingClientRect();
    const next = labels[index + 1]?.getBoundingClientRect().left;
    const end = label.parentElement?.getBoundingClientRect().right ?? 0;
    return right <= (next ?? end);
  });

const views = ["", "&view=turns", "&view=result", "&view=context", "&view=record"];

test("no view breaks an accessibility rule in either theme, and none scrolls sideways", async ({ page }) => {
  const { pipelineId } = await yard.submit({ script: { "feature-implementation": ["fails-its-gate"] } });
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)))
    .toContain('"attemptNumber":2');
  const one = `/pipelines/${pipelineId}/attempts?stage=implement&attempt=1`;
  for (const address of [...views.map((view) => one + view), `/pipelines/${pipelineId}/trace`]) {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(address);
    const shown = address.endsWith("trace")
      ? page.getByRole("tree")
      : page.getByRole("heading", { name: "implement, attempt 1" });
    await expect(shown).toBeVisible();
    await expect(page.getByText(/^Reading /)).toHaveCount(0);
    for (const theme of ["light", "dark"] as const) await expectNoViolation(page, theme);
    // 640 is what 200 % zoom leaves of 1280.
    await expectNoSidewaysScroll(page, [360, 640]);
  }
});

test("what is not there says so: no such attempt, no such span, no such pipeline", async ({ page }) => {
  const { pipelineId } = await yard.submit();
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)))
    .toContain("PIPELINE_STATUS_COMPLETED");
  await page.goto(`/pipelines/${pipelineId}/attempts?stage=implement&attempt=99`);
  await expect(page.getByText("This pipeline has no such attempt")).toBeVisible();
  await page.getByRole("link", { name: "Show its latest attempt" }).click();
  await expect(page.getByRole("heading", { name: "verify, attempt 1" })).toBeVisible();
  await page.goto(`/pipelines/${pipelineId}/trace?span=none`);
  await expect(page.getByText("This trace has no such span")).toBeVisible();
});
