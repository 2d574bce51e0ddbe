import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seedOfSource } from "./test-seed.ts";

test("a source has one seed, whenever and by whom it was committed; another source has another; no repository has none", ({
  onTestFinished,
}) => {
  const root = mkdtempSync(join(tmpdir(), "signalbox-seed-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  expect(seedOfSource(root)).toBeUndefined();

  const git = (...parameters: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...parameters], {
      cwd: root,
      stdio: "ignore",
    });
  const seeds = (["one", "two", "one"] as const).map((text, index) => {
    if (index === 0) git("init");
    writeFileSync(join(root, "source"), text);
    git("add", "source");
    git("commit", "-m", `commit ${index}`);
    return seedOfSource(root);
  });
  expect(seeds[0]).toMatch(/^\d{1,9}$/);
  expect(seeds[2]).toBe(seeds[0]);
  expect(seeds[1]).not.toBe(seeds[0]);
});
