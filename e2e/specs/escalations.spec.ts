import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { startYard, type Yard } from "../agents.ts";
import { expect, ownStack, type Page, pressTwice } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";

const run = promisify(execFile);
const { signedInTest: test } = ownStack("escalations");
test.describe.configure({ mode: "serial" });
test.use({ expectedNoise: /status of (409|422)/ });
let yard: Yard;

test.beforeAll(async ({ stack }) => {
  yard = await startYard(stack);
});
test.afterAll(() => yard.stop());

const question = /Which name shall it have/;
const badge = (page: Page) => page.getByRole("link", { name: /^Escalations/ });

async function ask(): Promise<{ pipelineId: string; escalationId: string }> {
  const { pipelineId } = await yard.submit({ script: { "feature-implementation": ["asks", "succeeds"] } });
  const idOf = async () =>
    /"escalationId":"([^"]+)"/.exec(
      JSON.stringify(await yard.rest("GET", `/v1/escalations?pipelineId=${pipelineId}`)),
    )?.[1];
  await expect.poll(idOf).toBeDefined();
  return { pipelineId, escalationId: (await idOf()) ?? "" };
}

async function expectFit(page: Page): Promise<void> {
  const before = page.viewportSize();
  for (const [width, theme] of [
    [360, "light"],
    [2560, "dark"],
  ] as const) {
    await expectNoSidewaysScroll(page, [width]);
    await expectNoViolation(page, theme);
  }
  if (before !== null) await page.setViewportSize(before);
}

const isCompleted = async (pipelineId: string) =>
  JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)).includes("PIPELINE_STATUS_COMPLETED");

test("two people at one question: one takes it and answers, the other sees it and loses nothing; the pipeline ends", async ({
  page,
  browser,
  stack,
}) => {
  const headers = { origin: stack.origin };
  const long = "x".repeat(100);
  await page.request.post("/v1/members", {
    headers,
    data: { email: "long@example.org", name: long, role: "approver" },
  });
  await page.goto("/escalations");
  await expect(page.getByText("Nothing waits for a person")).toBeVisible();
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  const { pipelineId, escalationId } = await ask();
  // The inbox is live, and so is the badge.
  await expect(page.getByRole("link", { name: question })).toBeVisible();
  await expect(badge(page)).toHaveText(/1 waiting/);
  const asked = page.getByRole("list", { name: "Escalations" });
  await expect(asked).toContainText(/TASK-[\w-]+ Add clamp/);
  await expectFit(page);
  await page.getByRole("searchbox", { name: "Task" }).fill("nobody said that");
  await page.getByRole("button", { name: "Find task" }).click();
  await expect(page.getByText("No escalation is like that")).toBeVisible();
  await page.goto("/escalations?q=clamp");
  await expect(page.getByRole("searchbox", { name: "Task" })).toHaveValue("clamp");
  await expect(asked).toContainText("Add clamp");

  const invited = await page.request.post("/v1/members", {
    headers,
    data: { email: "bea@example.org", name: "Bea", role: "approver" },
  });
  const link = new URL(/"link":"([^"]+)"/.exec(await invited.text())?.[1] ?? "", stack.origin);
  const context = await browser.newContext({ baseURL: stack.origin });
  const bea = await context.newPage();
  await context.request.post("/v1/session", { headers, data: { token: link.hash.slice(1) } });
  await bea.goto(`/escalations/${escalationId}`);
  await expect(bea.getByRole("heading", { name: "Agent asks", level: 1 })).toBeVisible();

  await test.step("by keyboard from the list to the question", async () => {
    await page.keyboard.press("j");
    await expect(page.getByRole("link", { name: question })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(`/escalations/${escalationId}`);
    await expect(page.getByRole("main")).toBeFocused();
    await page.goBack();
    await expect(page.getByRole("link", { name: question })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("link", { name: /Add clamp$/ })).toBeVisible();
    await expect(page.getByRole("list", { name: "Attempts" })).toContainText("Attempt 1");
    await expect(page.getByRole("list", { name: "The last turns" })).toContainText("node --test");
    await expectFit(page);
  });

  await test.step("who takes it is seen by the other, and so is what they say", async () => {
    await bea.getByRole("button", { name: "Take it" }).click();
    await expect(page.getByText("Bea attends to it.")).toBeVisible();
    const handOn = page.getByRole("button", { name: "Hand on" });
    const whom = page.getByRole("combobox", { name: "Hand it on to" });
    await expect(handOn).toHaveAccessibleDescription("Choose a person first.");
    await whom.press("ArrowDown");
    await expect(whom).not.toHaveValue("");
    await expect(whom).toBeFocused();
    await whom.selectOption(long);
    await expect(page.getByText("Bea attends to it.")).toBeVisible();
    await handOn.press("Enter");
    await expect(page.getByText(`${long} attends to it.`)).toBeVisible();
    await expect(handOn).toHaveAccessibleDescription("This person attends to it already.");
    await expect(handOn).toBeFocused();
    const before = page.viewportSize();
    await expectNoSidewaysScroll(page, [360, 1280]);
    if (before !== null) await page.setViewportSize(before);
    await bea.getByLabel("Comment", { exact: true }).fill("I ask the team.");
    await pressTwice(bea.getByRole("button", { name: "Add the comment" }));
    await expect(page.getByRole("list", { name: "Comments" })).toContainText("I ask the team.");
    await bea.getByLabel("Comment", { exact: true }).fill("Once.");
    await bea.getByRole("button", { name: "Add the comment" }).dblclick();
    await expect(page.getByRole("list", { name: "Comments" })).toContainText("Once.");
    await page.reload();
    await expect(page.getByRole("list", { name: "Comments" }).getByRole("listitem")).toHaveCount(2);
    await bea.getByRole("button", { name: "Add the comment" }).press("Enter");
    await expect(bea.getByLabel("Comment", { exact: true })).toBeFocused();
    await expect(bea.getByLabel("Comment", { exact: true })).toHaveAccessibleDescription(/is missing/);
  });

  await test.step("one answers while the other writes: it is said, and nothing typed is lost", async () => {
    await bea.getByLabel("Answer to the agent").fill("bound");
    await bea.getByLabel("Reason").fill("As in the guide");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await expect(page.getByLabel("Answer to the agent")).toBeFocused();
    await expect(page.getByLabel("Reason")).toHaveAccessibleDescription(/The reason is missing/);
    await page.getByLabel("Answer to the agent").fill("clamp");
    await page.getByLabel("Reason").fill("The issue says so.");
    await page.reload();
    await expect(page.getByLabel("Answer to the agent")).toHaveValue("clamp");
    await expect(page.getByLabel("Reason")).toHaveValue("The issue says so.");
    await page.getByRole("button", { name: "Answer", exact: true }).click();
    await expect(page.getByText("Answer, by Administrator")).toBeVisible();
    const ended = page.getByRole("status").filter({ hasText: "Answer, by Administrator" });
    await expect(ended).toContainText(/Answer to the agent\s*clamp\s*Reason\s*The issue says so\./);
    await expect(bea.getByText("Answer, by Administrator", { exact: true })).toBeVisible();
    await expect(bea.getByLabel("Answer to the agent")).toHaveValue("bound");
    await expect(bea.getByLabel("Reason")).toHaveValue("As in the guide");
    await expect(bea.getByRole("button", { name: "Answer", exact: true })).toHaveAttribute(
      "aria-disabled",
      "true",
    );
  });

  await expect.poll(() => isCompleted(pipelineId)).toBe(true);
  await expect(badge(page)).not.toHaveText(/waiting/);
  await test.step("who said something is called by name, also once they are no member any more", async () => {
    const { memberId } = JSON.parse(await invited.text()).member;
    const removed = await page.request.delete(`/v1/members/${memberId}`, { headers });
    expect(removed.status()).toBe(204);
    await page.goto(`/escalations/${escalationId}`);
    await expect(page.getByRole("list", { name: "Comments" }).getByText("Bea", { exact: true })).toHaveCount(
      2,
    );
    await page.goto("/audit?eventType=ESCALATION_ASSIGNED");
    await expect(page.getByText("Bea attends to it", { exact: true })).toHaveCount(1);
    await page
      .getByText(/; it was with Bea$/)
      .first()
      .waitFor();
    await page.goto("/audit?eventType=ESCALATION_RESOLVED");
    await page.getByRole("link", { name: "Escalation resolved" }).click();
    const decidedOn = page.getByRole("region", { name: "What it was decided on" });
    await expect(decidedOn).toContainText(/Resolved by\s*Administrator/);
    await decidedOn.getByRole("link", { name: escalationId }).click();
    await expect(page).toHaveURL(`/escalations/${escalationId}`);
  });
  await page.goto("/escalations?status=closed&cause=clarification");
  await expect(page.getByRole("link", { name: question })).toBeVisible();
  await expect(page.getByRole("combobox", { name: "Status" })).toHaveValue("closed");
  await page.getByRole("combobox", { name: "To be answered" }).selectOption("Late");
  await expect(page).toHaveURL("/escalations?status=closed&cause=clarification&due=late");
  await page.goBack();
  await expect(page).toHaveURL("/escalations?status=closed&cause=clarification");
  await expect(page.getByRole("combobox", { name: "To be answered" })).toHaveValue("");
  await expect(page.getByRole("link", { name: question })).toBeVisible();
  await context.close();
});

test.describe("a session that ended", () => {
  test.use({ expectedNoise: /status of 401|The caller is not known|Send a key|HTTP Authentication failed/ });

  test("who is no member any more is called by name after signing in again, too", async ({
    page,
    context,
    session,
  }) => {
    const named = page.getByText("Bea attends to it", { exact: true });
    await page.goto("/audit?eventType=ESCALATION_ASSIGNED");
    await expect(named).toHaveCount(1);
    await page.waitForLoadState("networkidle");
    await context.clearCookies();
    await page.getByRole("link", { name: "Packs" }).click();
    await expect(page.getByRole("heading", { name: "Sign in", level: 1 })).toBeVisible();
    await context.addCookies(session);
    const other = await context.newPage();
    await other.goto("/healthz");
    await other.evaluate(() => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel takes none
      new BroadcastChannel("signalbox.session").postMessage("signed-in");
    });
    await expect(page.getByRole("heading", { name: "Packs", level: 1 })).toBeVisible();
    await page.getByRole("link", { name: "Audit" }).click();
    await page.getByRole("combobox", { name: "What happened" }).selectOption("Escalation assigned");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(named).toHaveCount(1);
  });
});

test("a like case before is shown with how it ended", async ({ page }) => {
  const { escalationId, pipelineId } = await ask();
  await page.goto(`/escalations/${escalationId}`);
  await expect(page.getByRole("region", { name: "Like cases before" })).toContainText(
    "Answer, by Administrator",
  );
  const choice = page.getByRole("radio", { checked: true });
  await expect(choice).toHaveAccessibleName("Answer, recommended");
  await expect(choice).toHaveAccessibleDescription(/\w/);
  await page.getByRole("radio", { name: "Abort", exact: true }).check();
  await page.getByLabel("Reason").fill("It is not wanted any more.");
  await page.getByRole("button", { name: "Abort", exact: true }).click();
  await expect(page.getByText("Abort, by Administrator").first()).toBeVisible();
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)))
    .toContain("PIPELINE_STATUS_ABORTED");
});

test("an instance is quarantined with a reason and restored, and its pack says how to connect another", async ({
  page,
  stack,
}) => {
  await page.goto("/instances");
  const row = page.getByRole("listitem").filter({ hasText: "qa-engineer-1" });
  await expect(row).toContainText("Free");
  await expectFit(page);
  await row.getByRole("button", { name: "Quarantine" }).click();
  const dialog = page.getByRole("dialog", { name: "Quarantine qa-engineer-1?" });
  await dialog.getByRole("button", { name: "Quarantine" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Say why.");
  await dialog.getByLabel("Reason").fill("Its disk is full.");
  await dialog.getByRole("button", { name: "Quarantine" }).click();
  await expect(row).toContainText("Its disk is full.");
  await row.getByRole("button", { name: "Restore" }).click();
  await page.getByRole("dialog").getByLabel("Reason").fill("It was emptied.");
  await page.getByRole("dialog").getByRole("button", { name: "Restore" }).click();
  await expect(row).toContainText("Free");

  await test.step("what somebody is being asked stays in front of them when another does it", async () => {
    const asked = page.getByRole("dialog", { name: "Quarantine qa-engineer-1?" });
    await row.getByRole("button", { name: "Quarantine" }).click();
    await asked.getByLabel("Reason").fill("Its disk is full once more.");
    const byAnother = (act: string) =>
      page.request.post(`/v1/instances/qa-engineer/qa-engineer-1/${act}`, {
        headers: { origin: stack.origin },
        data: { note: "By another." },
      });
    expect((await byAnother("quarantine")).status()).toBe(204);
    await expect(asked.getByRole("status")).toHaveText("It is quarantined by now.");
    await expect(asked.getByLabel("Reason")).toHaveValue("Its disk is full once more.");
    await asked.getByRole("button", { name: "Cancel" }).click();
    await expect(row.getByRole("button", { name: "Restore" })).toBeVisible();
    await row.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog").getByLabel("Reason").fill("Mended.");
    expect((await byAnother("restore")).status()).toBe(204);
    await expect(page.getByRole("dialog").getByRole("status")).toContainText("It is quarantined no more");
    await page.keyboard.press("Escape");
    await expect(row).toContainText("Free");
  });

  await page.goto("/packs?q=qa-engineer");
  await page.getByRole("link", { name: /^qa-engineer/ }).click();
  await page.getByRole("link", { name: "Connect an agent" }).click();
  await page.getByRole("button", { name: "Make a key for this pack" }).click();
  const secret = page.getByText(/^sbx_/);
  await expect(secret).toHaveCount(1);
  const command = page
    .getByRole("figure")
    .filter({ hasText: /one heartbeat with curl/i })
    .locator("code");
  await run("sh", ["-c", await command.innerText()], {
    env: { ...process.env, SIGNALBOX_KEY: await secret.innerText() },
  });
  await page.getByRole("button", { name: "I have it" }).click();
  await expect(page.getByText(/sbx_/)).toHaveCount(0);
  await page.getByRole("link", { name: "Its instances" }).click();
  await expect(page).toHaveURL("/instances?pack=qa-engineer");
  await expect(page.getByRole("listitem").filter({ hasText: "curl-1" })).toContainText("Takes no work");
});

const saidByIt = async () =>
  JSON.stringify(await yard.rest("GET", "/v1/instances/qa-engineer/qa-engineer-1"));

test("an instance is asked to drain with a reason, hears it, and resumes", async ({ page }) => {
  await page.goto("/instances");
  const row = page.getByRole("listitem").filter({ hasText: "qa-engineer-1" });
  await row.getByRole("button", { name: "Drain" }).click();
  const dialog = page.getByRole("dialog", { name: "Drain qa-engineer-1?" });
  await dialog.getByRole("button", { name: "Drain" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Say why.");
  await dialog.getByLabel("Reason").fill("Its machine is replaced.");
  await dialog.getByRole("button", { name: "Drain" }).click();
  await expect(row).toContainText("Finishing, takes no more");
  await expect(row).toContainText(/Asked to drain since .*: Its machine is replaced\./);
  await expectFit(page);
  // The agent itself says that it takes no more: its last heartbeat was answered so.
  await expect.poll(saidByIt).toContain('"maxTasks":0');
  await row.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Resume" }).click();
  await expect(row).toContainText("Free");
  await expect(row).not.toContainText("Asked to drain");
});

const heartbeat = (status: string) =>
  yard.rest("POST", "/v1/heartbeats", { packId: "night-shift", instanceId: "n-1", health: { status } });

test("an instance that was quarantined is an alert, a pack without a healthy instance calls while it has none; what is not there says so", async ({
  page,
  stack,
}) => {
  await page.goto("/alerts");
  await expect(page.getByRole("list", { name: "Alerts" })).toContainText("Its disk is full.");
  const now = page.getByRole("list", { name: "Holding now" });
  await registerPack(stack, manifestOf("night-shift"));
  await heartbeat("HEALTH_STATUS_UNHEALTHY");
  await expect(now).toContainText("The only instance of night-shift is away or not healthy.");
  await expectFit(page);
  await heartbeat("HEALTH_STATUS_HEALTHY");
  await expect(page.getByText("The only instance of night-shift is away or not healthy.")).toHaveCount(0);
  await page.goto("/instances?pack=nobody");
  await expect(page.getByText("No instance of nobody has been heard of")).toBeVisible();
  await page.goto("/escalations?pack=nobody");
  await page.getByRole("link", { name: "Show all that wait" }).click();
  await expect(page).toHaveURL("/escalations");
});

const watched = `
    - template_id: "watched"
      name: "Watched"
      stages:
        - stage_id: "implement"
          task_type: "feature-implementation"
          required: true
          context_propagation: { mode: NONE }
          confidence_watch: { floor: 0.85, fall_per_turn: 0.5 }
      policy: { max_total_retries: 1, max_rejections: 1, pipeline_deadline: "30m", failure_strategy: PAUSE }
`;

test("what led to an open question goes on with its attempt: each turn as it is told, the last ones of many, and its end", async ({
  page,
}) => {
  const templates = await readFile(
    new URL("../../examples/config/pipeline-templates.yaml", import.meta.url),
    "utf8",
  );
  await yard.rest(
    "POST",
    "/v1/pipeline-templates",
    templates.replace('version: "1.0.0"', 'version: "1.1.0"') + watched,
  );
  await yard.rest("POST", "/v1/pipeline-templates/1.1.0/publish", { note: "One that is watched" });
  const { pipelineId, taskId } = await yard.submit({
    templateId: "watched",
    script: { "feature-implementation": ["waits"] },
  });
  const idOf = async () =>
    /"escalationId":"([^"]+)"/.exec(
      JSON.stringify(await yard.rest("GET", `/v1/escalations?pipelineId=${pipelineId}`)),
    )?.[1];
  await expect.poll(idOf).toBeDefined();
  await page.goto(`/escalations/${await idOf()}`);
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  const turns = page.getByRole("list", { name: "The last turns" });
  const attempts = page.getByRole("list", { name: "Attempts" });
  await expect(turns).toContainText("Turn 1, 80 % sure");
  await expect(attempts).toContainText("At work");

  const tell = (turnIndex: number) =>
    yard.rest("POST", `/v1/dispatches/${pipelineId}-d0.1/turns`, {
      turn_index: turnIndex,
      agent_id: "developer",
      role: "developer",
      content: { thought: `Thought ${turnIndex}.`, action: "Read on.", observation: "More of it." },
      metadata: {
        version: "1.0.0",
        task_id: taskId,
        timestamp: "2026-02-21T09:30:00Z",
        confidence: 0.9,
        estimated_complexity: "low",
      },
    });
  await tell(5);
  await expect(turns).toContainText("Thought 5.");
  // More than are read at once from the first on.
  await Promise.all(Array.from({ length: 60 }, (_, nth) => tell(6 + nth)));
  await expect(turns.getByRole("listitem")).toHaveText([/Thought 63\./, /Thought 64\./, /Thought 65\./]);
  await expect(page.getByText("it stays open, and nothing is decided")).toBeVisible();

  yard.letGo(taskId);
  await expect(attempts).not.toContainText("At work");
  await expect(attempts).toContainText("Attempt 1");
});
