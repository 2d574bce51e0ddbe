import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, expect } from "@playwright/test";
import { startYard, type Yard } from "./agents.ts";
import { findBrowser } from "./browser.ts";
import { consult } from "./consulting.ts";
import { startStack } from "./stack.ts";

/**
 * The documents' pictures, of every page in both themes, taken of the real thing with agents at work: run it when a page
 * has changed its looks. With a folder and a width it takes them there, to be looked at and not to be kept.
 */
const [folder = join(import.meta.dirname, "../docs/screenshots"), width = "1280"] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });

const { executablePath, env } = await findBrowser();
const stack = await startStack("screenshots");
const browser = await chromium.launch({
  executablePath,
  env: { ...process.env, ...env },
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});

const found = async (yard: Yard, path: string, pattern: RegExp): Promise<string> => {
  const read = async () => pattern.exec(JSON.stringify(await yard.rest("GET", path)))?.[1] ?? "";
  await expect.poll(read, { timeout: 30_000 }).not.toBe("");
  return read();
};
const statusIs = (yard: Yard, pipelineId: string, status: string) =>
  found(yard, `/v1/pipelines/${pipelineId}`, new RegExp(`"status":"(PIPELINE_STATUS_${status})"`));

/** One that is done after a gate held it, one at work, one that waits for a person. */
async function fill(yard: Yard) {
  const critical = "critical-with-security";
  const done = await yard.submit({
    title: "Round prices to the cent",
    taskId: "TASK-118",
    script: { "feature-implementation": ["fails-its-gate", "succeeds"] },
  });
  await statusIs(yard, done.pipelineId, "COMPLETED");
  const atWork = await yard.submit({
    title: "Rotate the signing keys",
    taskId: "TASK-121",
    templateId: critical,
    script: { "feature-implementation": ["leaks"] },
  });
  const asked = await yard.submit({
    title: "Add clamp",
    taskId: "TASK-123",
    script: { "feature-implementation": ["asks"] },
  });
  const escalationId = await found(
    yard,
    `/v1/escalations?pipelineId=${asked.pipelineId}`,
    /"escalationId":"([^"]+)"/,
  );
  const entryId = await found(
    yard,
    `/v1/audit?pipelineId=${done.pipelineId}&eventType=AUDIT_EVENT_TYPE_GATE_PASSED`,
    /"auditId":"([^"]+)"/,
  );
  return { done: done.pipelineId, atWork: atWork.pipelineId, escalationId, entryId };
}

const capability = "code-review";
const notes = ["Name the file and the line.", "Say first whether it may be merged."];

/** What people say of two results, and what comes of it. */
async function learn(yard: Yard, say: (taskId: string, data: object) => Promise<void>): Promise<string> {
  for (const note of notes) {
    const { taskId } = await consult(stack, { capability, topic: note, territory: "shop" });
    await say(taskId, { score: 2, note });
  }
  return found(yard, "/v1/learning/proposals?open=true", /"proposalId":"([^"]+)"/);
}

type Filled = Awaited<ReturnType<typeof fill>> & { proposalId: string };
const pagesOf = ({ done, atWork, escalationId, entryId, proposalId }: Filled) => ({
  overview: "/",
  pipelines: "/pipelines",
  "pipeline-track": `/pipelines/${atWork}`,
  "pipeline-attempt": `/pipelines/${done}/attempts`,
  "pipeline-artifacts": `/pipelines/${done}/artifacts`,
  "pipeline-trace": `/pipelines/${done}/trace`,
  submit: "/pipelines/submit",
  packs: "/packs",
  "connect-agent": "/packs/senior-ts-dev/versions/1.0.0?view=connect",
  instances: "/instances",
  policies: "/policies",
  "policy-editor": "/policies/edit",
  templates: "/templates",
  template: "/templates/critical-with-security/versions/1.0.0",
  "template-editor": "/templates/critical-with-security/edit",
  escalations: "/escalations",
  escalation: `/escalations/${escalationId}`,
  learning: "/learning",
  proposal: `/learning/${proposalId}`,
  audit: "/audit",
  "audit-entry": `/audit/${entryId}`,
  alerts: "/alerts",
  members: "/settings/members",
  keys: "/settings/keys",
  redaction: "/settings/redaction",
  metrics: "/alerts/metrics",
  retention: "/settings/retention",
  gates: "/settings/gates",
});

try {
  const yard = await startYard(stack);
  const filled = await fill(yard);
  const page = await browser.newPage({
    viewport: { width: Number(width), height: 800 },
    reducedMotion: "reduce",
    baseURL: stack.origin,
  });
  await page.goto(stack.signInLink());
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
  const account = {
    name: "Administrator",
    email: "administrator@example.org",
    password: crypto.randomUUID() + crypto.randomUUID(),
  };
  const settled = await page.request.patch("/v1/account", {
    headers: { origin: stack.origin },
    data: account,
  });
  expect(settled.ok(), await settled.text()).toBe(true);
  const proposalId = await learn(yard, async (taskId, data) => {
    const headers = { origin: stack.origin };
    const rated = await page.request.post(`/v1/sap/tasks/${taskId}/rating`, { headers, data });
    expect(rated.ok(), await rated.text()).toBe(true);
  });
  const pages = pagesOf({ ...filled, proposalId });
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(path, { waitUntil: "networkidle" });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
    }
  }
  await yard.stop();
} finally {
  await browser.close();
  await stack.remove();
}
