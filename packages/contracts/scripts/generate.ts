import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { vendorProtovalidate } from "./vendor-protovalidate.ts";

/** The package's own folder. */
export const PACKAGE = join(import.meta.dirname, "..");

/** Folders that hold nothing but what is generated. */
export const GENERATED = ["src/gen", "json-schema", "vectors"];

/** Runs buf in the package's folder. What it prints is in the error when it fails. */
export function buf(...args: string[]): string {
  // buf finds its plugin on PATH, and the package's own programs need not be on the caller's.
  const path = [join(PACKAGE, "node_modules/.bin"), process.env["PATH"]].join(delimiter);
  const env = { ...process.env, PATH: path };
  return execFileSync("buf", args, {
    cwd: PACKAGE,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Generates the TypeScript, the JSON Schemas and the golden vectors below `target`. */
export function generate(target: string): void {
  vendorProtovalidate(join(PACKAGE, ".vendor/proto"));
  buf("generate", "--output", target);
  rmSync(join(target, "json-schema"), { recursive: true, force: true });
  rmSync(join(target, "vectors"), { recursive: true, force: true });
  // A process of its own, because this one may have loaded the code that buf has just replaced.
  const script = join(import.meta.dirname, "write-documents.ts");
  execFileSync(process.execPath, [script, target], { stdio: ["ignore", "inherit", "inherit"] });
}

if (import.meta.main) generate(PACKAGE);
