import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { expectNoSidewaysScroll, expectNothingCutOff } from "../accessible.ts";
import { startYard, type Yard } from "../agents.ts";
import { consult } from "../consulting.ts";
import { expect, ownStack, type Page } from "../journey.ts";
import { manifestOf, registerPack } from "../rest.ts";
import { unbroken } from "../scripted-work.ts";
import type { Stack } from "../stack.ts";

/**
 * Every page in its four forms: with nothing in it, while its data is on the way, when it cannot be had, and with content
 * that is longer than anybody wants. One table, held against the routes: a page that has no row here fails.
 */
const { signedInTest: test } = ownStack("forms");
test.describe.configure({ mode: "serial" });
test.use({ expectedNoise: /status of (404|412)|Not for now/ });

type Found = {
  pipelineId: string;
  unsentId: string;
  escalationId: string;
  entryId: string;
  proposalId: string;
};
type Form =
  /** Seen at this address (else the page's own), where this is said. */
  | { readonly says: string | RegExp; readonly at?: (found: Found) => string }
  /** The page cannot be so, and why. */
  | { readonly never: string };
type Row = {
  readonly path: (found: Found) => string;
  readonly heading: string | RegExp;
  readonly empty: Form;
  /** Without one it is the frame with a word of waiting, and the page of the failure. */
  readonly readsNothing?: string;
  readonly long: Form;
};

const longTask = `TASK-${"0123456789".repeat(12)}`;
const longPack = `pack-${"with-a-long-name-".repeat(5)}x`;
const longInstance = `instance-${"of-a-long-name-".repeat(5)}x`;
const longTemplate = `template-${"with-a-long-name-".repeat(4)}x`;
const longTerritory = `territory-${"of-a-long-name-".repeat(8)}x`;
const longName = "Maximiliana Konstantinopolitanskaja-Wolkenstein ".repeat(2).trim();
const nowhere = "0190b3a8-8f0f-7bbb-8888-0123456789ab";

const noSuch = (says: string, at: string): Form => ({ says, at: () => at });
const rows: Record<string, Row> = {
  "/": {
    path: () => "/",
    heading: "Overview",
    empty: { says: "No task has been submitted yet" },
    long: { says: unbroken },
  },
  "/alerts": {
    path: () => "/alerts",
    heading: "Alerts",
    empty: { says: "No alert was raised." },
    long: { says: longInstance },
  },
  "/audit/": {
    path: () => "/audit",
    heading: "Audit",
    empty: { says: "Nothing on record fits all of that", at: () => "/audit?q=nobodysaidthis" },
    long: { says: longPack, at: () => `/audit?q=${longPack}` },
  },
  "/audit/$entryId": {
    path: ({ entryId }) => `/audit/${entryId}`,
    heading: /./,
    empty: noSuch("No entry on record has this id", `/audit/${nowhere}`),
    long: { says: longPack },
  },
  "/escalations/": {
    path: () => "/escalations",
    heading: "Escalations",
    empty: { says: "Nothing waits for a person" },
    long: { says: unbroken },
  },
  "/escalations/$escalationId": {
    path: ({ escalationId }) => `/escalations/${escalationId}`,
    heading: /./,
    empty: noSuch("There is no escalation of this name", "/escalations/nobody-e1"),
    long: { says: unbroken },
  },
  "/instances/": {
    path: () => "/instances",
    heading: "Instances",
    empty: { says: /No (agent|instance)/ },
    long: { says: longInstance },
  },
  "/learning/": {
    path: () => "/learning",
    heading: "Cache and learning",
    empty: { says: "Nothing is proposed" },
    long: { says: longTerritory },
  },
  "/learning/$proposalId": {
    path: ({ proposalId }) => `/learning/${proposalId}`,
    heading: new RegExp(longTerritory),
    empty: noSuch("There is no proposal of this name", `/learning/${nowhere}`),
    long: { says: longTerritory },
  },
  "/packs/": {
    path: () => "/packs",
    heading: "Packs",
    empty: { says: /register/i },
    long: { says: longPack },
  },
  "/packs/$packId/versions/$packVersion": {
    path: () => `/packs/${longPack}/versions/1.0.0`,
    heading: longPack,
    empty: noSuch("This pack version is not registered", "/packs/nobody/versions/1.0.0"),
    long: { says: longPack },
  },
  "/pipelines/": {
    path: () => "/pipelines",
    heading: "Pipelines",
    empty: { says: "No task has been submitted yet" },
    long: { says: longTask },
  },
  "/pipelines/submit": {
    path: () => "/pipelines/submit",
    heading: "Submit a task",
    empty: { says: /template/i },
    readsNothing: "its form needs nothing to be filled in",
    long: { never: "it shows what one writes, and names of templates" },
  },
  "/pipelines/$pipelineId": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}`,
    heading: longTask,
    empty: noSuch("There is no such pipeline", "/pipelines/nobody"),
    long: { says: longTask },
  },
  "/pipelines/$pipelineId/": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}`,
    heading: longTask,
    empty: noSuch("There is no such pipeline", "/pipelines/nobody"),
    long: { says: unbroken },
  },
  "/pipelines/$pipelineId/attempts": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}/attempts`,
    heading: longTask,
    empty: {
      says: "Nothing was sent to an agent yet",
      at: ({ unsentId }) => `/pipelines/${unsentId}/attempts`,
    },
    long: { says: unbroken, at: ({ pipelineId }) => `/pipelines/${pipelineId}/attempts?view=turns` },
  },
  "/pipelines/$pipelineId/artifacts": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}/artifacts`,
    heading: longTask,
    empty: {
      says: "No stage has handed on an artifact",
      at: ({ unsentId }) => `/pipelines/${unsentId}/artifacts`,
    },
    long: { says: longTask },
  },
  "/pipelines/$pipelineId/trace": {
    path: ({ pipelineId }) => `/pipelines/${pipelineId}/trace`,
    heading: longTask,
    empty: {
      says: "This trace has no such span",
      at: ({ pipelineId }) => `/pipelines/${pipelineId}/trace?span=none`,
    },
    long: { says: longTask },
  },
  "/policies/": {
    path: () => "/policies",
    heading: "Routing policies",
    empty: { says: "No routing policy is in force" },
    long: { says: longPack },
  },
  "/policies/$version": {
    path: () => "/policies/1.0.1",
    heading: /Routing policy/,
    empty: noSuch("This version of the routing policy is not here", "/policies/9.9.9"),
    long: { says: longPack },
  },
  "/policies/edit": {
    path: () => "/policies/edit",
    heading: "Routing policy",
    empty: { says: "No task type has a route" },
    long: { says: longPack, at: () => "/policies/edit?version=7.0.0" },
  },
  "/settings/members": {
    path: () => "/settings/members",
    heading: "Settings",
    empty: { never: "who looks at it is a member" },
    long: { says: longName },
  },
  "/settings/keys": {
    path: () => "/settings/keys",
    heading: "Settings",
    empty: { never: "a Signalbox that is tested has a key" },
    long: { says: longName.slice(0, 80) },
  },
  "/settings/redaction": {
    path: () => "/settings/redaction",
    heading: "Settings",
    empty: { says: "No routing policy is published" },
    long: { never: "it shows what one writes, and the patterns that are built in" },
  },
  "/settings/retention": {
    path: () => "/settings/retention",
    heading: "Settings",
    empty: { says: "Nothing holds the record, and nothing ever did." },
    long: { says: unbroken },
  },
  "/settings/gates": {
    path: () => "/settings/gates",
    heading: "Settings",
    empty: { never: "the six checks are always the same" },
    readsNothing: "the six checks are in the page",
    long: { never: "the six checks are always the same" },
  },
  "/templates/": {
    path: () => "/templates",
    heading: "Templates",
    empty: { says: "There is no version yet." },
    long: { says: longTemplate, at: () => "/templates?version=7.0.0" },
  },
  "/templates/$templateId/versions/$version": {
    path: () => `/templates/${longTemplate}/versions/7.0.0`,
    heading: longTemplate,
    empty: noSuch("This version has no such template", "/templates/none/versions/9.9.9"),
    long: { says: longTemplate },
  },
  "/templates/$templateId/edit": {
    path: () => `/templates/${longTemplate}/edit?from=7.0.0`,
    heading: longTemplate,
    empty: { says: /starter|template_id|single/, at: () => "/templates/new-one/edit?starter=single" },
    long: { says: longTemplate },
  },
};

/** Nobody is signed in there, or they are no page: their forms are in first-day.spec.ts and accounts.spec.ts. */
const elsewhere = ["/invitation", "/set-up", "/sign-in", "/$", "/settings/"];

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

let yard: Yard;
let found: Found = { pipelineId: "", unsentId: "", escalationId: "", entryId: "", proposalId: "" };

test("empty: a page that has nothing to show says so, and what to do", async ({ page }) => {
  for (const [route, row] of Object.entries(rows)) {
    if ("never" in row.empty || needsPipeline.includes(route)) continue;
    await page.goto((row.empty.at ?? row.path)(found));
    await expect.soft(main(page), route).toContainText(row.empty.says);
  }
});

test("long: whatever somebody sends is read to its end, and moves nothing off the page", async ({
  page,
  stack,
}) => {
  yard = await startYard(stack);
  found = await fill(stack, page);
  for (const route of needsPipeline) {
    const row = rows[route];
    if (row === undefined || "never" in row.empty) throw new Error(`${route} has no empty form`);
    await page.goto((row.empty.at ?? row.path)(found));
    await expect(main(page).getByText(row.empty.says).first(), route).toBeVisible();
  }
  for (const [route, row] of Object.entries(rows)) {
    if ("never" in row.long) continue;
    await page.goto((row.long.at ?? row.path)(found));
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

const config = (name: string) =>
  readFileSync(join(import.meta.dirname, "../../examples/config", name), "utf8");

async function fill(stack: Stack, page: Page): Promise<Found> {
  await registerPack(stack, manifestOf(longPack));
  await yard.rest("POST", "/v1/heartbeats", {
    packId: longPack,
    packVersion: "1.0.0",
    instanceId: longInstance,
    health: { status: "HEALTH_STATUS_HEALTHY" },
    heartbeatAt: new Date().toISOString(),
    leaseTtl: "60s",
  });
  const policy = config("routing-policy-with-verification.yaml").replaceAll("generalist-dev", longPack);
  for (const version of ["1.0.1", "7.0.0"])
    await yard.rest("POST", "/v1/routing-policies", policy.replace("1.1.0", version));
  await yard.rest("POST", "/v1/routing-policies/1.0.1/publish", { note: unbroken });
  await yard.rest(
    "POST",
    "/v1/pipeline-templates",
    config("pipeline-templates.yaml")
      .replace(`version: "1.0.0"`, `version: "7.0.0"`)
      .replace("implement-and-review", longTemplate),
  );
  // What is for a person alone.
  for (const [path, data] of Object.entries({
    [`/v1/instances/${longPack}/${longInstance}/quarantine`]: { note: unbroken },
    "/v1/members": { email: "m@example.org", name: longName, role: "viewer" },
    "/v1/keys": { label: longName.slice(0, 80), role: "viewer" },
    "/v1/audit/holds": { reason: unbroken },
  })) {
    const answer = await page.request.post(path, { headers: { origin: stack.origin }, data });
    expect(answer.ok(), `${path}: ${await answer.text()}`).toBe(true);
  }
  const script = { "feature-implementation": ["asks-at-length"] } as const;
  const ask = { capability: "code-review", territory: longTerritory };
  for (const topic of ["one", "two"]) {
    const { taskId } = await consult(stack, { ...ask, topic });
    const answer = await page.request.post(`/v1/sap/tasks/${taskId}/rating`, {
      headers: { origin: stack.origin },
      data: { score: 1, note: `${topic} ${unbroken}` },
    });
    expect(answer.ok(), await answer.text()).toBe(true);
  }
  const { pipelineId } = await yard.submit({ taskId: longTask, title: unbroken, script });
  const unsent = await yard.rest("POST", "/v1/tasks", {
    taskType: "unheard-of",
    contract: { taskId: "UNSENT-1", title: "Nobody does this", acceptanceCriteria: ["it is done"] },
  });
  const unsentId = /"pipelineId":"([^"]+)"/.exec(JSON.stringify(unsent))?.[1] ?? "";
  const readId = async (path: string, name: string) => {
    const pattern = new RegExp(`"${name}":"([^"]+)"`);
    const read = async () => pattern.exec(JSON.stringify(await yard.rest("GET", path)))?.[1];
    await expect.poll(read, { timeout: 20_000 }).toBeDefined();
    return (await read()) ?? "";
  };
  return {
    pipelineId,
    unsentId,
    escalationId: await readId(`/v1/escalations?pipelineId=${pipelineId}`, "escalationId"),
    proposalId: await readId("/v1/learning/proposals?open=true", "proposalId"),
    entryId: await readId(
      `/v1/audit?packId=${longPack}&eventType=AUDIT_EVENT_TYPE_PACK_REGISTERED`,
      "auditId",
    ),
  };
}

/** What the page asks for; who asks, and whether the server is well, is asked by its frame. */
const asksForPage = (url: string) =>
  new URL(url).pathname
    .replace("/trpc/", "")
    .split(",")
    .some((name) => !/^(session|system)\./.test(name));

test("loading: while its data is on the way a page says so, and comes by itself", async ({ page }) => {
  for (const [route, row] of Object.entries(rows)) {
    if (row.readsNothing !== undefined) continue;
    const gate = Promise.withResolvers<void>();
    await page.route(/\/trpc\//, async (call) => {
      if (asksForPage(call.request().url())) await gate.promise;
      await call.continue();
    });
    await page.goto(row.path(found));
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
}) => {
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
    await page.goto(row.path(found));
    await expect.soft(main(page).getByText("Not for now.").first(), route).toBeVisible();
    await page.unrouteAll({ behavior: "wait" });
    await main(page).getByRole("button", { name: "Try again" }).first().click();
    await expect.soft(heading(page, row), route).toBeVisible();
    await expect.soft(main(page).getByText("Not for now."), route).toHaveCount(0);
  }
});

test.afterAll(() => yard.stop());
