import { expectNoSidewaysScroll, expectNoViolation } from "../accessible.ts";
import { expect, signedInTest, test, type Page } from "../journey.ts";
import { manifestOf, publishTemplates, registerPack, submitTask } from "../rest.ts";

const themes = ["light", "dark"] as const;
const packId = "looked-at-by-axe";
const pages = [
  { name: "overview", path: "/", heading: "Overview" },
  { name: "pipelines", path: "/pipelines", heading: "Pipelines" },
  { name: "pipelines, nothing found", path: "/pipelines?q=nothing-of-this-name", heading: "Pipelines" },
  { name: "submit a task", path: "/pipelines/submit", heading: "Submit a task" },
  { name: "submit a task as JSON", path: "/pipelines/submit?view=json", heading: "Submit a task" },
  { name: "no such pipeline", path: "/pipelines/nobody", heading: "No such pipeline" },
  { name: "packs", path: "/packs", heading: "Packs" },
  { name: "routing policies", path: "/policies", heading: "Routing policies" },
  { name: "a routing policy being written", path: "/policies/edit", heading: "Routing policy" },
  { name: "no such policy version", path: "/policies/9.9.9", heading: "No such policy version" },
  { name: "packs, nothing found", path: "/packs?q=nothing-of-this-name", heading: "Packs" },
  { name: "one pack", path: `/packs/${packId}/versions/1.0.0`, heading: packId },
  { name: "one pack as JSON", path: `/packs/${packId}/versions/1.0.0?view=json`, heading: packId },
  { name: "no such pack version", path: "/packs/nobody/versions/1.0.0", heading: "No such pack version" },
  { name: "templates", path: "/templates", heading: "Templates" },
  {
    name: "a template",
    path: "/templates/critical-with-security/versions/1.0.0?stage=review",
    heading: "critical-with-security",
  },
  { name: "no such template", path: "/templates/none/versions/9.9.9", heading: "No such template" },
  { name: "a template in the editor", path: "/templates/drawn/edit?starter=branches", heading: "drawn" },
  { name: "audit", path: "/audit", heading: "Audit" },
  { name: "audit, nothing found", path: "/audit?q=nothingofthisname", heading: "Audit" },
  {
    name: "no such entry",
    path: "/audit/0190b3a8-8f0f-7bbb-8888-0123456789ab",
    heading: "No such entry",
  },
  { name: "redaction", path: "/settings/redaction", heading: "Settings" },
  { name: "metrics", path: "/alerts/metrics", heading: "Metrics" },
  { name: "retention", path: "/settings/retention", heading: "Settings" },
  { name: "gates", path: "/settings/gates", heading: "Settings" },
  {
    name: "one pack, connecting an agent",
    path: `/packs/${packId}/versions/1.0.0?view=connect`,
    heading: packId,
  },
  { name: "escalations, none", path: "/escalations", heading: "Escalations" },
  { name: "escalations, nothing found", path: "/escalations?due=late", heading: "Escalations" },
  { name: "no such escalation", path: "/escalations/nobody-e1", heading: "No such escalation" },
  { name: "instances, none", path: "/instances", heading: "Instances" },
  { name: "alerts, none", path: "/alerts", heading: "Alerts" },
  { name: "learning, nothing proposed", path: "/learning", heading: "Cache and learning" },
  { name: "the cache, not asked", path: "/learning?view=cache", heading: "Cache and learning" },
  {
    name: "no such proposal",
    path: "/learning/0190b3a8-8f0f-7bbb-8888-0123456789ab",
    heading: "No such proposal",
  },
  { name: "no such page", path: "/no/such/page", heading: "No such page" },
  { name: "refused", path: `/packs?q=%00`, heading: "Packs" },
];

async function expectAccessible(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole("heading", { name: heading, level: 1 })).toBeVisible();
  await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
  for (const theme of themes) await expectNoViolation(page, theme);
  await expectNoSidewaysScroll(page, [360]);
  // On a narrow screen other parts are shown.
  await expectNoViolation(page, "light");
  // 640 is what 200 % zoom leaves of 1280.
  await expectNoSidewaysScroll(page, [640, 1024, 2560]);
  if (heading === "Overview") {
    // The last width was 2560: what is a list has more of it than what is read.
    const box = await page
      .getByRole("heading", { name: heading, level: 1 })
      .locator("xpath=../../..")
      .boundingBox();
    expect(box?.width).toBeGreaterThan(1_600);
  }
}

signedInTest.describe("signed in", () => {
  signedInTest.use({ expectedNoise: /status of (404|422)|The page cannot be given/ });
  signedInTest.beforeAll(async ({ stack }) => {
    await registerPack(stack, manifestOf(packId));
    await publishTemplates(stack);
  });

  for (const { name, path, heading } of pages) {
    signedInTest(
      `${name}: no axe violation in either theme, and no sideways scroll from 360 to 2560 px`,
      async ({ page }) => {
        await expectAccessible(page, path, heading);
      },
    );
  }

  signedInTest("on a telephone what comes after the first paint moves no page", async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ["/", "/pipelines", "/settings"]) {
      await page.goto(path);
      await expect(page.getByRole("status", { name: "Connection" })).toHaveText("Live");
      await expect(page.getByRole("button", { name: /^Go to/ })).toBeVisible();
      await expect(page.getByText("Waiting for the first reading.")).toHaveCount(0);
      const moved = await page.evaluate(async () => {
        const shifts: number[] = [];
        const observer = new PerformanceObserver((list) =>
          shifts.push(...list.getEntries().map((entry) => Number(entry.toJSON().value))),
        );
        observer.observe({ type: "layout-shift", buffered: true });
        for (let frames = 0; frames < 3; frames += 1) await new Promise(requestAnimationFrame);
        observer.disconnect();
        return shifts.reduce((sum, shift) => sum + shift, 0);
      });
      // The header's own controls make room for each other.
      expect(moved, path).toBeLessThan(0.05);
    }
  });

  signedInTest("no heading moves from page to page, nor a notice beside it", async ({ page }) => {
    for (const width of [1440, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const edges = new Set<number>();
      for (const path of ["/", "/pipelines", "/pipelines/submit", "/learning", "/settings"]) {
        await page.goto(path);
        const heading = page.getByRole("heading", { level: 1 });
        const notice = page.getByText("You came by a link that is good once").locator("xpath=../..");
        for (const place of [heading, notice]) edges.add((await place.boundingBox())?.x ?? Number.NaN);
      }
      expect([...edges], `at ${width}`).toHaveLength(1);
    }
  });

  signedInTest("one pipeline that waits for a person: the same", async ({ page, stack }) => {
    const { taskId, pipelineId } = await submitTask(stack, "critical-with-security");
    await expectAccessible(page, `/pipelines/${pipelineId}`, taskId);
  });
});

test.describe("signed out", () => {
  test.use({ expectedNoise: /status of 401/ });

  for (const path of ["/sign-in", "/sign-in#never-printed"]) {
    test(`${path}: no axe violation in either theme, and no sideways scroll`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByLabel("Sign-in link")).toBeVisible();
      for (const theme of themes) await expectNoViolation(page, theme);
      await expectNoSidewaysScroll(page, [360, 2560]);
    });
  }
});
