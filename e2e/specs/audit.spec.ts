import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { startYard, type Yard } from "../agents.ts";
import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { expect, ownStack, type Page } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";

const { signedInTest: test } = ownStack("audit");
const rows = (page: Page) =>
  page
    .getByRole("table", { name: /^Audit entries/ })
    .getByRole("row")
    .filter({ has: page.getByRole("cell") });

let yard: Yard;
let pipelineId: string;
test.beforeAll(async ({ stack }) => {
  yard = await startYard(stack);
  ({ pipelineId } = await yard.submit());
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)), {
      timeout: 30_000,
    })
    .toContain('"PIPELINE_STATUS_COMPLETED"');
});
test.afterAll(async () => {
  await yard.stop();
});

test("what is searched for stands in the URL, and whoever has the URL finds the same", async ({ page }) => {
  await page.goto("/audit");
  await page.getByLabel("What happened").selectOption("Gate passed");
  await page.getByRole("button", { name: "Narrow further" }).click();
  await page.getByLabel("Pipeline").fill(pipelineId);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(`/audit?eventType=GATE_PASSED&pipelineId=${pipelineId}`);
  await expect(page.getByText("3 entries, which is all")).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole("columnheader")).toHaveText(["When", "What and why", "Who and where"]);

  await page.reload();
  await expect(page.getByLabel("Pipeline")).toHaveValue(pipelineId);
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("link", { name: "Show the whole record" }).click();
  await expect(page).toHaveURL("/audit");
});

test("words find what was said, and what finds nothing says so", async ({ page }) => {
  await page.goto("/audit?q=registered+qa-engineer");
  await expect(rows(page).getByText("registered pack qa-engineer 1.0.0")).toBeVisible();
  await page.goto("/audit?q=%22add+clamp%22");
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(/Started from template .* for task TASK-\w+: Add clamp/);
  await expect(rows(page)).toContainText(/by key \w/);
  const byKey = /by (key .+)$/m.exec(await rows(page).innerText())?.[1] ?? "";
  await page.getByRole("button", { name: "Narrow further" }).press("Enter");
  await expect(page.getByLabel("Pipeline")).toBeFocused();
  await page.getByLabel("Who").fill(byKey);
  await page.getByRole("button", { name: "Search" }).click();
  await expect(page).toHaveURL(/actor=key%2F/);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByLabel("Who")).toHaveCount(1);
  await expect(page.getByLabel("Who")).toHaveValue(byKey);
  await page.goto(`/pipelines?q=${"x".repeat(300)}`);
  await expect(page.getByText("No pipeline is as you ask")).toBeVisible();
  await page.goto("/audit?actor=nobody");
  await page.getByLabel("Who").fill("administrator");
  await page.getByRole("button", { name: "Search" }).click();
  await expect(rows(page).first()).toContainText("by Administrator");
  await page.reload();
  await expect(page.getByLabel("Who")).toHaveValue("Administrator");
  await page.goto("/audit?q=%22add+clamp%22");
  await page.getByLabel("Words").fill("nobodysaidthis");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Nothing on record fits all of that")).toBeVisible();
});

test("from the list to an entry and back, by keyboard; its facts, its proof, its neighbours", async ({
  page,
}) => {
  await page.goto(`/audit?pipelineId=${pipelineId}`);
  await expect(page.getByText("entries, which is all")).toBeVisible();
  await page.keyboard.press("j");
  await expect(rows(page).nth(0).getByRole("link")).toBeFocused();
  await page.keyboard.press("j");
  await expect(rows(page).nth(1).getByRole("link")).toBeFocused();
  await page.keyboard.press("k");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Gate passed", level: 1 })).toBeVisible();
  const checks = page.getByRole("list", { name: "Checks of the gate" }).getByRole("listitem");
  await expect(checks).toHaveCount(6);
  await expect(checks.first()).toContainText("evidence passed");

  await expect(page.getByText("The chain holds")).toBeVisible();
  await page.getByRole("button", { name: "Verify" }).click();
  await expect(page.getByText("The chain holds")).toBeVisible();
  await page
    .getByRole("link", { name: /^Revision \d+$/ })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: "Result valid", level: 1 })).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(`/audit?pipelineId=${pipelineId}`);
  await expect(rows(page).nth(1).getByRole("link")).toBeFocused();
});

test("the digests of an entry's page come from an export, without Signalbox", async ({ page }) => {
  await page.goto(`/audit?pipelineId=${pipelineId}`);
  await page.getByRole("button", { name: "Export…" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^audit-.*\.jsonl$/);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\n");
  const entries = lines.slice(0, -1).map((line) => ({ line, entry: JSON.parse(line) }));
  expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ exported: entries.length });
  await expect(page.getByText(`${entries.length} entries,`, { exact: false }).first()).toBeVisible();

  const inOrder = entries.toSorted(
    (one, other) => one.entry.payload.pipelineRevision - other.entry.payload.pipelineRevision,
  );
  let digest = Buffer.alloc(0);
  for (const { line } of inOrder) digest = createHash("sha256").update(digest).update(line).digest();
  await page.goto(`/audit/${inOrder.at(-1)?.entry.auditId}`);
  await expect(page.getByText(digest.toString("hex"))).toBeVisible();
});

test("as CSV, what somebody named like a formula is none", async ({ page, stack }) => {
  await registerPack(stack, manifestOf("formula", "1.0.0", { supportedTaskTypes: ["review"] }));
  await yard.rest("POST", "/v1/keys", { label: "=cmd()", role: "viewer" });
  await page.goto("/audit?eventType=KEY_CREATED");
  await page.getByRole("button", { name: "Export…" }).click();
  await page.getByLabel(/^CSV/).check();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const text = await readFile(await (await download).path(), "utf8");
  const [header, ...body] = text.trimEnd().split("\r\n");
  expect(header).toMatch(/^\uFEFFauditId,recordedAt,eventType,/);
  expect(body.at(-1)).toMatch(new RegExp(`^#exported,${body.length - 1},`));
  expect(body.join("\n")).toContain("KEY_CREATED");
  for (const row of body) expect(row).not.toMatch(/(^|,)"?\s*[=+@-]/);
});

test("an export that is cancelled or broken off saves nothing, and says so", async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route("**/v1/audit/export**", async (route) => {
    await held.promise;
    await route.abort().catch(() => undefined);
  });
  await page.goto("/audit");
  await page.getByRole("button", { name: "Export…" }).click();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("button", { name: "Cancel the export" }).click();
  await expect(page.getByText("Cancelled. Nothing was saved.")).toBeVisible();
  held.resolve();
  await page.unroute("**/v1/audit/export**");
  await page.route("**/v1/audit/export**", (route) =>
    route.fulfill({ contentType: "application/x-ndjson", body: '{"auditId":"a"}\n' }),
  );
  await page.getByRole("button", { name: "Export again" }).click();
  await expect(page.getByText("The export broke off")).toBeVisible();
});

test("what is recorded while one looks comes in at the top", async ({ page, stack }) => {
  await page.goto("/audit?eventType=PACK_REGISTERED");
  await expect(rows(page).first()).toBeVisible();
  await registerPack(stack, manifestOf("came-in-live"));
  await expect(rows(page).first()).toContainText("came-in-live");
});

test("a long list draws what is on the screen, and goes on as far as one scrolls", async ({ page }) => {
  const keys = Array.from({ length: 130 }, (_, index) =>
    yard.rest("POST", "/v1/keys", { label: `many-${index}`, role: "viewer" }),
  );
  await Promise.all(keys);
  await page.goto("/audit?q=many");
  await expect(rows(page).first()).toBeVisible();
  expect(await rows(page).count()).toBeLessThan(60);
  await page.keyboard.press("End");
  await expect(page.getByText("which is all")).toBeVisible();
  await page.keyboard.press("End");
  await expect(page.getByText("130 entries, which is all")).toBeVisible();
  expect(await rows(page).count()).toBeLessThan(60);
});

test("what happened is counted from the record, moves as it happens, and leads to its entries", async ({
  page,
}) => {
  await page.goto("/alerts");
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Metrics" }).click();
  await expect(page).toHaveURL("/alerts/metrics");
  const happened = page.getByRole("list", { name: "What happened" });
  const row = (name: string) => happened.getByRole("listitem").filter({ hasText: name });
  const countOf = async (name: string) =>
    Number(/\d+/.exec((await row(name).innerText()).replace(name, ""))?.[0]);
  const begun = await countOf("Pipelines begun");
  expect(begun).toBeGreaterThan(0);
  expect(await countOf("Gates passed")).toBeGreaterThan(2);
  await expect(page.getByText(/completed (last|took)/)).toBeVisible();
  await yard.submit();
  await expect.poll(() => countOf("Pipelines begun"), { timeout: 15_000 }).toBe(begun + 1);

  await page.getByRole("link", { name: "Week" }).click();
  await expect(page).toHaveURL("/alerts/metrics?range=week");
  await expect(page.getByRole("heading", { name: "The last week" })).toBeVisible();
  await page.getByRole("link", { name: "Pipelines begun" }).click();
  await expect(page).toHaveURL(/\/audit\?eventType=PIPELINE_CREATED&from=/);
  await expect(page.getByText(`${begun + 1} entries, which is all`)).toBeVisible();
});

test.describe("what is not there", () => {
  test.use({ expectedNoise: /status of (404|422)/ });

  test("an entry that nobody recorded, and a search that cannot be made", async ({ page }) => {
    await page.goto("/audit/0190b3a8-8f0f-7bbb-8888-0123456789ab");
    await expect(page.getByText("No entry on record has this id")).toBeVisible();
    await page.goto("/audit?q=-probe");
    await expect(page.getByText("at least one word to look for")).toBeVisible();
    await expect(page.getByLabel("Words")).toHaveValue("-probe");
  });

  test("a stretch of time that ends before it begins is told where it is filled in", async ({ page }) => {
    await page.goto("/audit?from=2026-02-02T00:00:00Z&to=2026-02-01T00:00:00Z");
    const before = page.getByLabel("Before");
    await expect(before).toHaveAccessibleDescription("It has to be later than From.");
    await expect(page.getByText("Nothing was looked for")).toBeVisible();
    await expect(page.getByRole("button", { name: "Export" })).toHaveCount(0);
    await page.getByLabel("From").fill("2026-01-01T00:00");
    await expect(before).toHaveAccessibleDescription("");
    await before.press("Enter");
    await expect(page.getByText("Nothing on record fits all of that")).toBeVisible();
  });

  test("a type of entry that there is not is shown where one chooses, and is left out with one link", async ({
    page,
  }) => {
    const type = page.getByLabel("What happened");
    await page.goto("/audit?eventType=PIPELINE_EXPLODED&q=clamp");
    await expect(type).toHaveValue("PIPELINE_EXPLODED");
    await expect(type).toHaveAttribute("aria-invalid", "true");
    await expect(type).toHaveAccessibleDescription("PIPELINE_EXPLODED is no type of entry.");
    await expect(page.getByText("Nothing was looked for")).toBeVisible();
    await expect(rows(page)).toHaveCount(0);
    for (const [width, theme] of [
      [360, "light"],
      [2560, "dark"],
    ] as const) {
      await expectNoSidewaysScroll(page, [width]);
      await expectNoViolation(page, theme);
    }

    await page.getByRole("link", { name: "Search without the type" }).press("Enter");
    await expect(page).toHaveURL("/audit?q=clamp");
    await expect(type).toHaveValue("");
    await expect(rows(page).first()).toBeVisible();

    await page.goto(`/audit?eventType=${"X".repeat(60)}`);
    await expect(type).toHaveValue("X".repeat(60));
    await type.selectOption("Pack registered");
    await expect(type).toHaveAttribute("aria-invalid", "false");
    await page.getByRole("button", { name: "Search" }).press("Enter");
    await expect(page).toHaveURL("/audit?eventType=PACK_REGISTERED");
    await expect(rows(page).first()).toBeVisible();
  });
});
