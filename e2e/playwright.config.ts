import { join } from "node:path";
import { defineConfig } from "@playwright/test";
import { findBrowser } from "./browser.ts";

const results = join(import.meta.dirname, "../test-results");
const browser = await findBrowser();

export default defineConfig({
  testDir: ".",
  testMatch: "specs/*.spec.ts",
  outputDir: join(results, "playwright"),
  globalSetup: "./require-pages.ts",
  reporter: [["list"], ["json", { outputFile: join(results, "playwright.json") }]],
  forbidOnly: true,
  // A test that passes at the second try has found something, and is to say so.
  retries: 0,
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  use: {
    // What was done and what it called, with a picture of the end. To film every step of every test costs a fifth of the run.
    trace: { mode: "retain-on-failure", screenshots: false, snapshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: browser.executablePath,
      env: { ...process.env, ...browser.env },
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--no-default-browser-check",
      ],
    },
  },
});
