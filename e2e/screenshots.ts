import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser } from "./browser.ts";
import { manifestOf, registerPack } from "./rest.ts";
import { startStack } from "./stack.ts";

/** The README's pictures, taken of the real thing: run it when a page has changed its looks. */
const folder = join(import.meta.dirname, "../docs/screenshots");

const packs = [
  manifestOf("implementer", "2.1.0", {
    safetyTier: "RISK_TIER_CRITICAL",
    supportedTaskTypes: ["implement", "refactor"],
  }),
  manifestOf("test-writer", "0.9.4", { safetyTier: "RISK_TIER_LOW", supportedTaskTypes: ["test"] }),
  manifestOf("verifier", "1.4.0", { supportedTaskTypes: ["verification"] }),
  manifestOf("release-notes", "1.0.0-rc.1", { supportedTaskTypes: ["document", "release"] }),
  manifestOf("security-auditor", "3.0.2", {
    safetyTier: "RISK_TIER_CRITICAL",
    supportedTaskTypes: ["audit", "review"],
  }),
  manifestOf("code-reviewer", "1.2.0", { ownerDomains: ["platform"], requiredTools: ["node"] }),
];

const pictures = [
  { name: "overview-light", path: "/", colorScheme: "light", heading: "Overview" },
  { name: "overview-dark", path: "/", colorScheme: "dark", heading: "Overview" },
  { name: "packs-light", path: "/packs", colorScheme: "light", heading: "Packs" },
] as const;

const { executablePath, env } = await findBrowser();
const stack = await startStack("screenshots");
const browser = await chromium.launch({
  executablePath,
  env: { ...process.env, ...env },
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
try {
  for (const manifest of packs) await registerPack(stack, manifest);
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce" });
  await page.goto(stack.signInLink());
  await page.getByText("All clear.").waitFor();
  for (const { name, path, colorScheme, heading } of pictures) {
    await page.emulateMedia({ colorScheme });
    await page.goto(stack.origin + path);
    await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
    await page.getByText("Live").waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
} finally {
  await browser.close();
  await stack.remove();
}
