import type { BrowserContext } from "@playwright/test";
import { startYard } from "../agents.ts";
import { expect, test, type Page } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";
import { secret } from "../scripted-work.ts";
import { startStack, type Stack } from "../stack.ts";

/** What must be nowhere in the browser of somebody else's tenant: said only in the northern one, in every place that takes words. */
const northern = "NORTHERNLIGHT";
const tenants = { SIGNALBOX_TENANTS: "north=Northern Works" };
test.use({ expectedNoise: /status of 404|The page cannot be given/ });

/** Everything that a page holds or was told: its DOM, its address, its storage, its cookies, and each answer and message. */
function watch(page: Page) {
  const told: string[] = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => told.push(String(payload))));
  page.on("response", (response) => {
    if (!/\/(trpc|v1)\//.test(response.url())) return;
    response.text().then(
      (body) => told.push(body),
      () => undefined,
    );
  });
  return async () => {
    told.push(
      await page.evaluate(async () =>
        [
          document.documentElement.outerHTML,
          location.href,
          document.cookie,
          JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), history.state]),
          JSON.stringify([await indexedDB.databases(), await caches.keys()]),
        ].join("\n"),
      ),
    );
    return told.join("\n");
  };
}

/** A kind of page by its address: an audit of a hundred entries is one page a hundred times. */
const kindOf = (path: string) => {
  const [where = "", search = ""] = path.split("?");
  const [, first, , ...deeper] = where.split("/");
  return [first, where.split("/").length, ...deeper.slice(-1), search.split("=")[0]].join(" ");
};

/** Every kind of address that the pages lead to, two of each. */
async function followAll(page: Page): Promise<string[]> {
  const found = ["/"];
  const kinds = new Map<string, number>();
  for (const path of found) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const links = await page
      .locator("a[href^='/']")
      .evaluateAll((all) => all.map((link) => link.getAttribute("href")?.split("#")[0] ?? ""));
    for (const link of new Set(links)) {
      const seen = kinds.get(kindOf(link)) ?? 0;
      if (found.includes(link) || seen >= 2) continue;
      kinds.set(kindOf(link), seen + 1);
      found.push(link);
    }
  }
  return found;
}

async function enter(context: BrowserContext, link: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(link);
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  return page;
}

async function makeKey(page: Page, origin: string): Promise<string> {
  const answer = await page.request.post("/v1/keys", {
    headers: { origin },
    data: { label: `${northern} key`, role: "operator" },
  });
  const body = await answer.text();
  expect(answer.ok(), body).toBe(true);
  return /"(?:secret|key)":"([^"]+)"/.exec(body)?.[1] ?? "";
}

const idIn = (body: unknown, name: string) =>
  new RegExp(`"${name}":"([^"]+)"`).exec(JSON.stringify(body))?.[1] ?? "";

test("nothing of another tenant and no secret is in any page, address, storage, answer or message", async ({
  browser,
}) => {
  test.setTimeout(120_000);
  const stack = await startStack("tenants", tenants);
  try {
    const north = await browser.newContext({ baseURL: stack.origin });
    const northPage = await enter(north, stack.signInLink(1));
    const key = await makeKey(northPage, stack.origin);
    const northStack: Stack = { ...stack, key };
    await registerPack(northStack, manifestOf(`${northern.toLowerCase()}-pack`));
    const yard = await startYard(stack);
    const plant = async (path: string, data: object) => {
      const answer = await fetch(stack.origin + path, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(data),
      });
      const text = await answer.text();
      expect(answer.ok, text).toBe(true);
      return JSON.parse(text);
    };
    const planted = await plant("/v1/tasks", {
      taskType: northern,
      contract: { taskId: `${northern}-1`, title: northern, acceptanceCriteria: [northern] },
    });
    const theirs = idIn(planted, "pipelineId");

    const south = await browser.newContext({ baseURL: stack.origin });
    const page = await enter(south, stack.signInLink());
    const all = watch(page);
    // A secret in each place that a program writes words to, and what an agent lets out while it works.
    const { pipelineId, taskId } = await yard.submit({
      title: `Rotate ${secret}`,
      script: { "feature-implementation": ["leaks"] },
    });
    yard.letGo(taskId);
    await expect
      .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)), {
        timeout: 30_000,
      })
      .toContain("PIPELINE_STATUS_COMPLETED");
    const asked = await yard.submit({ script: { "feature-implementation": ["asks"] } });
    await expect
      .poll(async () =>
        JSON.stringify(await yard.rest("GET", `/v1/escalations?pipelineId=${asked.pipelineId}`)),
      )
      .toContain("escalationId");
    const escalationId = idIn(
      await yard.rest("GET", `/v1/escalations?pipelineId=${asked.pipelineId}`),
      "escalationId",
    );
    const commented = await page.request.post(`/v1/escalations/${escalationId}/comment`, {
      headers: { origin: stack.origin },
      data: { comment: `Use ${secret} for it.` },
    });
    expect(commented.ok(), await commented.text()).toBe(true);

    const visited = await followAll(page);
    expect(visited.length).toBeGreaterThan(25);
    for (const path of [
      `/pipelines/${pipelineId}/attempts?stage=implement&attempt=1&view=record`,
      `/pipelines/${pipelineId}/attempts?stage=implement&attempt=1&view=turns`,
      `/pipelines/${pipelineId}/attempts?stage=implement&attempt=1`,
      `/escalations/${escalationId}`,
      // Theirs, by their very ids.
      `/pipelines/${theirs}`,
      `/pipelines/${theirs}/attempts`,
      `/escalations/${theirs}-e1`,
      `/audit?pipelineId=${theirs}`,
      `/instances`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForTimeout(300);
    }
    const whole = await all();
    expect(whole.length).toBeGreaterThan(100_000);
    // The watch sees what is there: its own task, and the marks of what was masked.
    expect(whole).toContain(taskId);
    expect(whole).toMatch(/masked|REDACTED/i);
    expect(whole.toUpperCase()).not.toContain(northern);
    expect(whole).not.toContain(secret);
    expect(whole).not.toContain(secret.slice(4));
    expect(whole).not.toContain(stack.key);
    expect(whole).not.toContain(key);
    expect(await page.evaluate(() => document.cookie)).toBe("");

    await northPage.goto("/pipelines");
    await expect(northPage.getByText(`${northern}-1`)).toBeVisible();
    await expect(northPage.getByText(taskId)).toHaveCount(0);
    await yard.stop();
    await north.close();
    await south.close();
  } finally {
    await stack.remove();
  }
});
