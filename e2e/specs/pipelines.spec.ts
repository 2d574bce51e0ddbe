import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { startYard, type Yard } from "../agents.ts";
import { expect, joined, ownStack, type Page } from "../journey.ts";

const { signedInTest: test } = ownStack("pipelines");
let yard: Yard;

test.beforeAll(async ({ stack }) => {
  yard = await startYard(stack);
});
test.afterAll(() => yard.stop());

const live = (page: Page) => expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
const statusOf = (page: Page) => page.getByRole("status", { name: "Status" });
const block = (page: Page, stageId: string) =>
  page.getByRole("list", { name: "Stages on the track" }).getByRole("link", { name: stageId });
const stageRow = (page: Page, stageId: string) =>
  page
    .getByRole("list", { name: "Stages", exact: true })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: stageId, exact: true }) });

test.describe("the first minute", () => {
  // The browser itself reports what was refused.
  test.use({ expectedNoise: /status of 422/ });

  test("from the overview a task is submitted by keyboard, and its train is watched to the end", async ({
    page,
  }) => {
    await page.goto("/");
    await expect(page.getByText("No task has been submitted yet")).toBeVisible();
    await expect(page.getByText("npm run demo -- --url")).toBeVisible();
    await page.getByRole("link", { name: "submit a task" }).press("Enter");
    await expect(page.getByRole("heading", { name: "Submit a task", level: 1 })).toBeVisible();

    await test.step("what is missing is said beside its field", async () => {
      await page.getByRole("button", { name: "Submit the task" }).press("Enter");
      await expect(page.getByLabel("Title")).toHaveAttribute("aria-invalid", "true");
    });

    // What is in force is there to choose.
    await expect(page.locator("option[value='implement-and-review']")).toHaveText("Standard Implementation");
    await page.getByLabel("Template", { exact: true }).fill("implement-and-review");
    await page.getByLabel("Task id").fill("FIRST-1");
    await page.getByLabel("Title").fill("Add clamp");
    await page.getByLabel("Accepted when").fill("clamp(5, 0, 3) is 3");
    await page.getByLabel("Files that may be changed").fill("src/numbers.js");
    await page.getByLabel("Risk").selectOption("low");
    await page.getByRole("link", { name: "JSON" }).click();
    await expect(page.getByLabel("The task, as REST takes it")).toHaveValue(/"riskTier": "RISK_TIER_LOW"/);
    await page.getByRole("link", { name: "Form" }).click();
    await page.getByLabel("Title").press("Enter");

    await expect(page.getByRole("heading", { name: "FIRST-1", level: 1 })).toBeVisible();
    await expect(statusOf(page)).toHaveText("Completed");
    for (const stageId of ["implement", "review", "verify"])
      await expect(block(page, stageId)).toContainText("Completed");
    await expect(page.getByText("COMPLETED, and nothing can happen to it any more").first()).toBeVisible();

    await page.getByRole("link", { name: "Overview" }).click();
    const ended = page.getByRole("list", { name: "Pipelines that ended lately" });
    await expect(ended.getByRole("link", { name: "FIRST-1" })).toBeVisible();
  });
});

test.describe("where there is no network", () => {
  test.use({ expectedNoise: /ERR_INTERNET_DISCONNECTED|Failed to fetch|WebSocket connection to/ });
  test("what is pressed fails at once, and is not done when the network is back", async ({
    page,
    context,
  }) => {
    const { pipelineId, taskId } = await yard.submit({ script: { "code-review": ["waits"] } });
    await page.goto(`/pipelines/${pipelineId}`);
    await expect(block(page, "review")).toContainText("At work");
    await page.waitForLoadState("networkidle");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Abort the pipeline" }).press("Enter");
    const abort = page.getByRole("dialog", { name: "Abort this pipeline?" });
    await abort.getByLabel("Reason").fill("pressed while offline");
    await abort.getByRole("button", { name: "Abort" }).press("Enter");
    await expect(page.getByText(/cannot be reached/).first()).toBeVisible();
    await context.setOffline(false);
    await page.reload();
    await expect(statusOf(page)).toHaveText("Running");
    expect(
      JSON.stringify(await yard.rest("GET", `/v1/audit?pipelineId=${pipelineId}&q=offline`)),
    ).not.toContain("pressed while offline");
    yard.letGo(taskId);
    await expect(statusOf(page)).toHaveText("Completed");
  });
});

test.describe("who commands", () => {
  test.use({ expectedNoise: /status of 409/ });
  test("a pipeline moves while it is watched, and is paused, resumed, sent back and aborted by keyboard", async ({
    page,
  }) => {
    const { pipelineId, taskId } = await yard.submit({ script: { "code-review": ["waits"] } });
    await page.goto(`/pipelines/${pipelineId}`);
    await live(page);
    await expect(block(page, "review")).toContainText("At work");

    await page.getByRole("button", { name: "Pause the pipeline" }).press("Enter");
    const pause = page.getByRole("dialog", { name: "Pause this pipeline?" });
    await test.step("why one would pause it is no reason to resume it", async () => {
      await pause.getByLabel("Reason").fill("Wait for the others.");
      await page.keyboard.press("Escape");
      await yard.rest("POST", `/v1/pipelines/${pipelineId}/pause`, {});
      // That it is paused is told before what may be done then is read.
      await expect(page.getByRole("button", { name: "Resume the pipeline" })).toBeEnabled();
      await page.getByRole("button", { name: "Resume the pipeline" }).press("Enter");
      const resume = page.getByRole("dialog", { name: "Resume this pipeline?" });
      await expect(resume.getByLabel("Reason")).toHaveValue("");
      await resume.getByRole("button", { name: "Resume" }).press("Enter");
      await expect(statusOf(page)).toHaveText("Running");
      await page.getByRole("button", { name: "Pause the pipeline" }).press("Enter");
    });
    await pause.getByLabel("Reason").fill("The track is being mended.");
    await pause.getByRole("button", { name: "Pause" }).press("Enter");
    await expect(statusOf(page)).toHaveText("Paused");
    await expect(page.getByText("its clock is stopped")).toBeVisible();
    await expect(page.getByText("The track is being mended.")).toBeVisible();
    const { name }: { name: string } = JSON.parse(await (await page.request.get("/v1/account")).text());
    await expect(page.getByText(`Paused by ${name}`, { exact: true })).toBeVisible();
    await stageRow(page, "implement")
      .getByRole("button", { name: "Rewind to here implement" })
      .press("Enter");
    const standing = page.getByRole("dialog", { name: "Rewind to implement?" });
    await expect(standing).toContainText("clock stands still");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Resume the pipeline" }).press("Enter");
    await page
      .getByRole("dialog", { name: "Resume this pipeline?" })
      .getByRole("button", { name: "Resume" })
      .press("Enter");
    await expect(statusOf(page)).toHaveText("Running");

    await test.step("a stage that was not reached says why it is none to go back to", async () => {
      const button = stageRow(page, "verify").getByRole("button", { name: "Rewind to here verify" });
      await expect(button).toHaveAttribute("aria-disabled", "true");
      await expect(button).toHaveAccessibleDescription(/has not been reached/);
    });

    await stageRow(page, "implement")
      .getByRole("button", { name: "Rewind to here implement" })
      .press("Enter");
    const dialog = page.getByRole("dialog", { name: "Rewind to implement?" });
    await expect(dialog).toContainText("clock keeps running");
    await dialog.getByLabel("Instructions for the next attempt").fill("Mind negative ranges.");
    await dialog.getByRole("button", { name: "Rewind" }).press("Enter");
    await expect(dialog).toBeHidden();
    await expect(stageRow(page, "implement")).toContainText("Mind negative ranges.");
    await expect(stageRow(page, "review")).toContainText("attempt 2");

    await page.getByRole("button", { name: "Abort the pipeline" }).press("Enter");
    const abort = page.getByRole("dialog", { name: "Abort this pipeline?" });
    await abort.getByRole("button", { name: "Abort" }).press("Enter");
    await expect(abort.getByText("Say why.")).toBeVisible();
    await abort.getByLabel("Reason").fill("The line is closed.");
    await abort.getByRole("button", { name: "Abort" }).press("Enter");
    await expect(statusOf(page)).toHaveText("Aborted");
    await expect(page.getByText(`Aborted by ${name}`, { exact: true })).toBeVisible();
    await expect(page.getByText("The line is closed.", { exact: true })).toBeVisible();
    expect(JSON.stringify(await yard.rest("GET", `/v1/audit?pipelineId=${pipelineId}&q=closed`))).toContain(
      "The line is closed.",
    );
    await expect(page.getByRole("button", { name: "Abort the pipeline" })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
    await page.getByRole("definition").getByRole("link", { name: "on record" }).press("Enter");
    await expect(page.getByRole("table", { name: /^Audit entries/ })).toContainText("The line is closed.");
    yard.letGo(taskId);

    await test.step("who comes too late with an abort is told so", async () => {
      const late = await yard.submit({ script: { "code-review": ["waits"] } });
      await page.goto(`/pipelines/${late.pipelineId}`);
      await page.getByRole("button", { name: "Abort the pipeline" }).press("Enter");
      await abort.getByLabel("Reason").fill("It is late.");
      await yard.rest("POST", `/v1/pipelines/${late.pipelineId}/abort`, { note: "Somebody was sooner." });
      await expect(statusOf(page)).toHaveText("Aborted");
      await abort.getByRole("button", { name: "Abort" }).press("Enter");
      await expect(page.getByRole("alert")).toContainText("The pipeline is aborted, and nothing can");
      // Who was sooner is read after that, stands above it, and must not push it away.
      await expect(page.getByText("Somebody was sooner.", { exact: true })).toBeVisible();
      await expect(page.getByText("INVALID_STATE")).toBeInViewport();
      yard.letGo(late.taskId);
    });
  });
});

test("who ended a pipeline and why is told to who may not read the record, however long and whatever is written", async ({
  page,
  browser,
  stack,
}) => {
  const { pipelineId, taskId } = await yard.submit({ script: { "feature-implementation": ["waits"] } });
  const note = `<img src=x onerror=alert(1)> \u202Eesrever\n${"The points are frozen, and nobody thaws them. ".repeat(40)}`;
  await yard.rest("POST", `/v1/pipelines/${pipelineId}/abort`, { note });
  yard.letGo(taskId);
  const asked = await yard.submit({ script: { "feature-implementation": ["asks"] } });
  const idOf = async () =>
    /"escalationId":"([^"]+)"/.exec(
      JSON.stringify(await yard.rest("GET", `/v1/escalations?pipelineId=${asked.pipelineId}`)),
    )?.[1];
  await expect.poll(idOf).toBeDefined();
  const answered = await page.request.post(`/v1/escalations/${await idOf()}/resolve`, {
    headers: { origin: stack.origin },
    data: { option: "abort", comment: "Nobody needs it." },
  });
  expect(answered.ok(), await answered.text()).toBe(true);
  const { name }: { name: string } = JSON.parse(await (await page.request.get("/v1/account")).text());

  const viewer = await joined(page, stack, browser, "Wanda", "viewer");
  await viewer.goto(`/pipelines/${asked.pipelineId}`);
  await expect(viewer.getByText(`Aborted by ${name}`, { exact: true })).toBeVisible();
  await expect(viewer.getByText("Nobody needs it.", { exact: true })).toBeVisible();
  await expect(viewer.getByText("With the answer to question 1")).toBeVisible();
  await viewer.goto(`/pipelines/${pipelineId}`);
  await expect(viewer.getByText(/^Aborted by key /)).toBeVisible();
  const reason = viewer.getByText(/^<img src=x onerror=alert\(1\)> ‹U\+202E›esrever/);
  await expect(reason).toBeVisible();
  const height = async () => (await reason.boundingBox())?.height ?? 0;
  const cut = await height();
  await viewer.getByRole("button", { name: "Read the whole reason" }).press("Enter");
  expect(await height()).toBeGreaterThan(2 * cut);
  await viewer.getByRole("button", { name: "Show less of the reason" }).press("Enter");
  expect(await height()).toBe(cut);
  for (const [width, theme] of [
    [360, "light"],
    [2560, "dark"],
  ] as const) {
    await expectNoSidewaysScroll(viewer, [width]);
    await expectNoViolation(viewer, theme);
  }
  await viewer.context().close();
});

test("what a person is asked stands on the overview as it comes, and leads to its pipeline", async ({
  page,
}) => {
  await page.goto("/");
  await live(page);
  await yard.submit({ taskId: "ASKS-1", script: { "feature-implementation": ["asks"] } });
  const questions = page.getByRole("list", { name: "Open escalations" });
  await expect(questions.getByRole("link", { name: "Which name shall it have?" })).toBeVisible();
  for (const nth of [2, 3, 4, 5, 6])
    await yard.submit({ taskId: `ASKS-${nth}`, script: { "feature-implementation": ["asks"] } });
  await expect(page.getByRole("link", { name: /^All [6-9] that wait/ })).toHaveAttribute(
    "href",
    "/escalations",
  );
  await expect(questions.getByRole("listitem")).toHaveCount(5);
  const longest = questions.getByRole("listitem").filter({ hasText: "ASKS-1" });
  await longest.getByRole("link", { name: "Which name shall it have?" }).click();
  await expect(page.getByRole("heading", { name: "ASKS-1", level: 1 })).toBeVisible();
  await expect(page.getByText("It waits for a person’s answer")).toBeVisible();
  await expect(block(page, "implement")).toContainText("Waits for a person");
  await expect(stageRow(page, "implement").getByRole("link", { name: "question 1" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "question 1" }).first().click();
  await expect(page.getByRole("heading", { name: "Agent asks", level: 1 })).toBeVisible();
  await expect(page.getByRole("list", { name: "Attempts" })).toContainText("Asked a question");

  await test.step("how many wait pushes the station that one is at over no edge", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/settings");
    const stations = page.getByRole("navigation", { name: "Pages" });
    await expect(stations.getByRole("link", { name: /^Escalations \d/ })).toHaveCount(1);
    await expect(stations.getByRole("link", { name: "Settings" })).toBeInViewport({ ratio: 0.98 });
  });
});

test("the list hears of what comes and of what ends; j, k and enter go through it, and the URL keeps the filter", async ({
  page,
  browser,
  stack,
}) => {
  // A control that has what follows drawn from the right, so that a name reads as another one.
  const title = `Straighten the points \u202Etfel ${"at length ".repeat(60)}`;
  const long = await yard.submit({ taskId: "LISTED-1", title });
  await page.goto(`/pipelines/${long.pipelineId}`);
  const whole = page.getByRole("heading", { level: 1 });
  await expect(whole).toContainText("Straighten the points ‹U+202E›tfel at length");
  expect(await page.title()).toContain("‹U+202E›tfel");
  const height = async () => (await whole.boundingBox())?.height ?? 0;
  const clamped = await height();
  await page.getByRole("button", { name: "Read the whole title" }).press("Enter");
  await expect(page.getByRole("button", { name: "Show less of the title" })).toBeFocused();
  expect(await height()).toBeGreaterThan(clamped);

  await page.goto("/pipelines");
  await live(page);
  await expect(page.getByText("‹U+202E›tfel").first()).toBeVisible();
  const { taskId } = await yard.submit({ taskId: "LISTED-2", script: { "code-review": ["waits"] } });
  const rows = page.getByRole("list", { name: "Pipelines, the newest first" }).getByRole("listitem");
  await expect(rows.first()).toContainText("LISTED-2");
  await expect(rows.first()).toContainText("Running");
  yard.letGo(taskId);
  await expect(rows.first()).toContainText("Completed");

  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "LISTED-2" })).toBeFocused();
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "LISTED-1" })).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "LISTED-2", level: 1 })).toBeVisible();
  await page.goBack();
  await expect(page.getByRole("link", { name: "LISTED-2" })).toBeFocused();

  await test.step("who may not submit a task reads why at once", async () => {
    const headers = { origin: stack.origin };
    const data = { email: "vera@example.org", name: "Vera", role: "viewer" };
    const invited = await page.request.post("/v1/members", { headers, data });
    const link = new URL(/"link":"([^"]+)"/.exec(await invited.text())?.[1] ?? "", stack.origin);
    const context = await browser.newContext({ baseURL: stack.origin });
    await context.request.post("/v1/session", { headers, data: { token: link.hash.slice(1) } });
    const vera = await context.newPage();
    for (const path of ["/", "/pipelines"]) {
      await vera.goto(path);
      await expect(vera.getByRole("button", { name: "Submit a task" })).toHaveAccessibleDescription(
        /^Not allowed: .*operator/,
      );
      await expect(vera.getByRole("link", { name: "Submit a task" })).toHaveCount(0);
    }
    await context.close();
  });

  await page.goto("/pipelines?q=listed-1&status=COMPLETED&pack=qa-engineer&since=hour");
  await expect(rows).toHaveCount(1);
  await page.getByLabel("Status").selectOption("Failed");
  await expect(page).toHaveURL("/pipelines?q=listed-1&pack=qa-engineer&since=hour&status=FAILED");
  await expect(page.getByText("No pipeline is as you ask")).toBeVisible();
  await page.getByRole("link", { name: "Show all pipelines" }).click();
  await expect(rows.first()).toContainText("LISTED-2");

  await test.step("a task is found by words of its title, here and by the keyboard from anywhere", async () => {
    await page.getByLabel("Task, name or template").fill("points straight");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText("LISTED-1");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /task/ }).fill("straighten");
    await expect(page.getByRole("option", { name: /LISTED-1 Straighten the points .* Task/ })).toBeVisible();
    await page.keyboard.press("Enter");
    const heading = page.getByRole("heading", { name: /^LISTED-1 Straighten the points/, level: 1 });
    await expect(heading).toContainText(/(at length ){40}.*…$/);
    await expect(page).toHaveTitle(/^LISTED-1 Straighten/);
  });
});

test.describe("a text of JSON", () => {
  test.use({ expectedNoise: /status of 422/ });

  test("is refused line by line", async ({ page }) => {
    await page.goto("/pipelines/submit?view=json");
    const text = page.getByLabel("The task, as REST takes it");
    await text.fill('{\n  "taskType": "verification",\n  "contract": {},,\n}');
    await expect(page.getByText("Line 3, column 18.")).toBeVisible();
    await text.fill(
      '{\n  "taskType": "verification",\n  "contract": {\n    "title": "Try",\n    "nosuch": 1\n  }\n}',
    );
    await page.getByRole("button", { name: "Submit the task" }).click();
    await expect(page.getByText("Line 5: contract.nosuch")).toBeVisible();
    await page.reload();
    await expect(text).toHaveValue(/"nosuch": 1/);
    await page.goto("/pipelines/submit");
    await page.getByRole("button", { name: "Submit the task" }).click();
    await expect(page.getByLabel("Template")).toBeFocused();
    await expect(page.getByLabel("Accepted when")).toHaveAccessibleDescription(/at least one/);
    await page.getByLabel("Title").fill("Straighten the points");
    await page.goto("/");
    await page.goto("/pipelines/submit");
    await expect(page.getByLabel("Title")).toHaveValue("Straighten the points");
  });
});

test.describe("a pipeline that is not there", () => {
  test.use({ expectedNoise: /status of 404/ });

  test("is said not to be", async ({ page }) => {
    await page.goto("/pipelines/0199-nobody");
    await expect(page.getByText("There is no such pipeline")).toBeVisible();
  });
});

test.describe("a server that is killed", () => {
  test.use({
    expectedNoise:
      /ERR_CONNECTION_(REFUSED|RESET|CLOSED)|ERR_EMPTY_RESPONSE|WebSocket connection to|status of 503|Failed to fetch/,
  });

  test("is missed; when it is back the pipeline goes on where it was, without a reload and without a gap", async ({
    page,
    stack,
  }) => {
    const { pipelineId, taskId } = await yard.submit({ script: { "code-review": ["waits"] } });
    await page.goto(`/pipelines/${pipelineId}`);
    await live(page);
    await expect(block(page, "review")).toContainText("At work");
    await page.waitForLoadState("networkidle");
    await page.evaluate(() => Object.assign(window, { neverReloaded: true }) && undefined);

    await stack.stop("SIGKILL");
    await expect(
      page.getByRole("alert").filter({ hasText: "connection to Signalbox is lost" }),
    ).toBeVisible();
    yard.letGo(taskId);
    await stack.start();
    await live(page);
    await expect(statusOf(page)).toHaveText("Completed", { timeout: 30_000 });
    await expect(block(page, "verify")).toContainText("Completed");
    expect(await page.evaluate(() => "neverReloaded" in window)).toBe(true);
  });
});
