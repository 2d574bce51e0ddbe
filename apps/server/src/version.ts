import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The product's version, which packs name as the oldest orchestrator that they work with. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8"));
  if (typeof manifest === "object" && manifest !== null && "version" in manifest) {
    if (typeof manifest.version === "string") return manifest.version;
  }
  throw new Error("apps/server/package.json names no version");
}
