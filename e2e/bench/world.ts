import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, expect, type BrowserContext, type Page } from "@playwright/test";
import { findBrowser } from "../browser.ts";
import { type Stack, startStack } from "../stack.ts";

/** A Signalbox on data of its own, and a browser in which its first administrator is signed in. */
export type World = {
  readonly stack: Stack;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Where a program can lead the same browser, with the same session. */
  readonly debugPort: number;
};

export async function withWorld<T>(name: string, work: (world: World) => Promise<T>): Promise<T> {
  const stack = await startStack(`bench-${name}`);
  const profile = mkdtempSync(join(tmpdir(), "signalbox-bench-"));
  try {
    const { executablePath, env } = await findBrowser();
    const debugPort = await freePort();
    const context = await chromium.launchPersistentContext(profile, {
      executablePath,
      env: { ...process.env, ...env },
      viewport: { width: 1280, height: 900 },
      baseURL: stack.origin,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        `--remote-debugging-port=${debugPort}`,
      ],
    });
    try {
      const page = context.pages()[0] ?? (await context.newPage());
      await page.goto(stack.signInLink());
      await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
      return await work({ stack, context, page, debugPort });
    } finally {
      await context.close();
    }
  } finally {
    await stack.remove();
    rmSync(profile, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await once(server.close(), "close");
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}
