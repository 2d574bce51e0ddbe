import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { build } from "vite";
import { programBuild } from "./program-build.ts";

test("what is built asks whether a call throws, as its source does", async () => {
  const room = mkdtempSync(join(tmpdir(), "signalbox-built-"));
  onTestFinished(() => rmSync(room, { recursive: true, force: true }));
  mkdirSync(join(room, "src"));
  writeFileSync(
    join(room, "src/main.ts"),
    `const passes = (ask: () => void): boolean => {
       try { ask(); return true; } catch { return false; }
     };
     const isDecodable = (path: string): boolean => {
       try { decodeURIComponent(path); return true; } catch { return false; }
     };
     const isUrl = (text: string): boolean => {
       try { new URL(text); return true; } catch { return false; }
     };
     console.log(isDecodable("/%"), isUrl("nowhere"), passes(() => { JSON.parse("{"); }), passes(() => { new RegExp("("); }));`,
  );
  await build({ ...programBuild(room), configFile: false, logLevel: "silent" });
  const said = execFileSync(process.execPath, [join(room, "dist/program/main.js")], { encoding: "utf8" });
  expect(said.trim()).toBe("false false false false");
});
