import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ensureDataFolder } from "./data-folder.ts";

const root = mkdtempSync(join(tmpdir(), "signalbox-data-folder-"));
afterAll(() => rmSync(root, { recursive: true }));

test("a folder is made with those above it, passable to another user, and left empty", () => {
  const folder = join(root, "new", "data");
  ensureDataFolder(folder);
  ensureDataFolder(folder);
  expect(statSync(folder).mode & 0o777).toBe(0o711);
  expect(readdirSync(folder)).toEqual([]);
});

test("a file in its place is refused by the variable's name", () => {
  const file = join(root, "file");
  writeFileSync(file, "");
  for (const folder of [file, join(file, "below")]) {
    expect(() => ensureDataFolder(folder)).toThrow(
      /^SIGNALBOX_DATA: read ".*file.*ENOTDIR.*Allowed: a folder/,
    );
  }
});

test.runIf(process.platform === "linux").each(["/proc/signalbox", "/proc/signalbox/data", "/proc"])(
  "%s, where nothing can be made, does not hang the start",
  (folder) => {
    expect(() => ensureDataFolder(folder)).toThrow(
      `SIGNALBOX_DATA: read "${folder}", where nothing can be kept`,
    );
  },
);
