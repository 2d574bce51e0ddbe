import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export type Browser = { executablePath: string; env: Record<string, string> };

const cache = join(import.meta.dirname, "node_modules/.cache/chromium");
const parts = ["chromium.br", "fonts.tar.br", "swiftshader.tar.br", "al2023.tar.br"];

/** The browser to test with: the one named by SIGNALBOX_E2E_BROWSER, or the Chromium that npm brought. */
export async function findBrowser(named = process.env.SIGNALBOX_E2E_BROWSER): Promise<Browser> {
  if (named !== undefined && named !== "") {
    if (!existsSync(named)) {
      throw new Error(
        `SIGNALBOX_E2E_BROWSER names ${named}, which does not exist; it takes the path of a Chromium's executable`,
      );
    }
    return { executablePath: named, env: {} };
  }
  if (process.platform !== "linux" || process.arch !== "x64") {
    throw new Error(
      `npm brings no Chromium for ${process.platform} on ${process.arch}: set SIGNALBOX_E2E_BROWSER to the path of one`,
    );
  }
  const folder = await unpackChromium();
  const executablePath = join(folder, "chromium");
  return { executablePath, env: { ...libraries(folder, executablePath), ...fonts(folder) } };
}

/**
 * Unpacks into a folder beside the final one and renames it, so that a killed or a parallel run never leaves a
 * half-written browser that looks whole.
 */
async function unpackChromium(): Promise<string> {
  const packageRoot = join(dirname(fileURLToPath(import.meta.resolve("@sparticuz/chromium"))), "..");
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(packageRoot, "package.json"), "utf8"),
  );
  const folder = join(cache, version);
  if (existsSync(join(folder, "chromium"))) return folder;

  mkdirSync(cache, { recursive: true });
  const unfinished = mkdtempSync(join(cache, `${version}-`));
  await inTemporaryFolder(unfinished, async () => {
    const { inflate } = await import("@sparticuz/chromium");
    for (const part of parts) await inflate(join(packageRoot, "bin", part));
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(join(folder, "chromium"))) throw error;
  }
  return folder;
}

/** `inflate` knows no target but the system's temporary folder, where another version may lie under the same name. */
async function inTemporaryFolder(folder: string, work: () => Promise<void>): Promise<void> {
  const before = process.env.TMPDIR;
  process.env.TMPDIR = folder;
  try {
    await work();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
  }
}

/** A bare Debian has no NSS; the package brings that of Amazon Linux, which is used only where one is missing. */
function libraries(folder: string, executablePath: string): Record<string, string> {
  const missing = execFileSync("ldd", [executablePath], { encoding: "utf8" }).includes("not found");
  if (!missing) return {};
  const path = [join(folder, "al2023/lib"), process.env.LD_LIBRARY_PATH].filter(Boolean).join(":");
  return { LD_LIBRARY_PATH: path };
}

/** Without any font configuration Chromium draws no glyph at all, and tests that read the DOM still pass. */
function fonts(folder: string): Record<string, string> {
  if (existsSync("/etc/fonts/fonts.conf")) return {};
  const file = join(folder, "fonts.conf");
  writeFileSync(
    file,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${join(folder, "fonts")}</dir><cachedir>${join(folder, "font-cache")}</cachedir></fontconfig>\n`,
  );
  return { FONTCONFIG_FILE: file };
}
