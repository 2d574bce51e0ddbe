import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { startYard } from "../../agents.ts";
import { expect } from "@playwright/test";
import type { Figure } from "../measure/figures.ts";
import type { World } from "../world.ts";

const project = join(import.meta.dirname, "../lighthouse");

type Lighthouse = (
  url: string,
  flags: { port: number; logLevel: "error"; output: "json"; disableStorageReset: boolean },
  config: object,
) => Promise<
  | {
      lhr: {
        runtimeError?: { message: string };
        categories: Record<string, { score: number | null }>;
        audits: Record<string, { score: number | null; title: string; numericValue?: number }>;
      };
    }
  | undefined
>;

/** Fetched when it is first measured: 176 MB that nobody else needs (ADR 0050). */
async function loadLighthouse(): Promise<Lighthouse> {
  if (!existsSync(join(project, "node_modules/lighthouse/package.json")))
    execFileSync("pnpm", ["install", "--frozen-lockfile"], { cwd: project, stdio: "inherit" });
  const entry = join(project, "node_modules/lighthouse/core/index.js");
  const { default: run }: { default: Lighthouse } = await import(pathToFileURL(entry).href);
  return run;
}

/** Lighthouse's own two: a laptop on a wire, and a middling telephone on a slow network. */
const desktop = {
  formFactor: "desktop",
  screenEmulation: { mobile: false, width: 1350, height: 940, deviceScaleFactor: 1, disabled: false },
  throttling: {
    rttMs: 40,
    throughputKbps: 10 * 1024,
    cpuSlowdownMultiplier: 1,
    requestLatencyMs: 0,
    downloadThroughputKbps: 0,
    uploadThroughputKbps: 0,
  },
};
const forms = { desktop, telephone: { formFactor: "mobile" } } as const;

export async function lighthouse({ stack, page, debugPort }: World): Promise<Figure[]> {
  const run = await loadLighthouse();
  const yard = await startYard(stack);
  const { pipelineId } = await yard.submit({ title: "Round prices to the cent" });
  await expect
    .poll(async () => JSON.stringify(await yard.rest("GET", `/v1/pipelines/${pipelineId}`)), {
      timeout: 30_000,
    })
    .toContain('"PIPELINE_STATUS_COMPLETED"');
  await yard.stop();
  // What is drawn twice at once is timed wrong.
  await page.goto("about:blank");
  const figures: Figure[] = [];
  for (const [form, settings] of Object.entries(forms))
    for (const [name, path] of Object.entries({
      overview: "/",
      pipeline: `/pipelines/${pipelineId}`,
      audit: "/audit",
    })) {
      const result = await run(
        stack.origin + path,
        { port: debugPort, logLevel: "error", output: "json", disableStorageReset: true },
        {
          extends: "lighthouse:default",
          settings: { ...settings, onlyCategories: ["performance", "accessibility"] },
        },
      );
      if (result === undefined || result.lhr.runtimeError !== undefined)
        throw new Error(`Lighthouse could not look at ${path}: ${result?.lhr.runtimeError?.message}`);
      const { categories, audits } = result.lhr;
      const score = (category: string) => (categories[category]?.score ?? 0) * 100;
      const first = audits["first-contentful-paint"]?.numericValue ?? Number.NaN;
      const largest = audits["largest-contentful-paint"]?.numericValue ?? Number.NaN;
      figures.push(
        {
          name: `${name}, ${form}: performance`,
          value: score("performance"),
          unit: "",
          ...(form === "desktop" && { wanted: { atLeast: 95 } }),
        },
        {
          name: `${name}, ${form}: accessibility`,
          value: score("accessibility"),
          unit: "",
          wanted: { atLeast: 100 },
        },
        { name: `${name}, ${form}: first contentful paint`, value: first, unit: "ms" },
        { name: `${name}, ${form}: largest contentful paint`, value: largest, unit: "ms" },
      );
      for (const [id, { score: one, title }] of Object.entries(audits))
        if (one !== null && one < 0.5) console.log(`  ${name}, ${form}: ${id} ${one}: ${title}`);
    }
  return figures;
}
