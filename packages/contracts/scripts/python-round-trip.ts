import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { equals, fromBinary, fromJson } from "@bufbuild/protobuf";
import { CONTRACT_MESSAGES } from "../src/index.ts";
import { PACKAGE } from "./generate.ts";
import { vendorProtovalidate } from "./vendor-protovalidate.ts";
import type { Vector } from "./vectors/golden-vectors.ts";

const VECTORS = join(PACKAGE, "vectors");
const PYTHONS = ["/usr/bin/python3", "python3"];

const vectors: Vector[] = JSON.parse(readFileSync(join(VECTORS, "manifest.json"), "utf8"));
const python = PYTHONS.find((command) => succeeds(command, "-c", "import google.protobuf"));
// Debian has the files that every contract imports in a package of their own.
const protoc = succeeds("protoc", "--descriptor_set_out=/dev/null", "google/protobuf/descriptor.proto");

if (python === undefined || !protoc) {
  const missing =
    python === undefined ? "a Python with google.protobuf" : "protoc with google/protobuf/*.proto";
  console.log(
    `${missing} is not here; on Debian: apt install protobuf-compiler libprotobuf-dev python3-protobuf`,
  );
  console.log(`0 passed, 0 failed, ${vectors.length} skipped`);
} else {
  const failed = roundTrip(python);
  console.log(`${vectors.length - failed} passed, ${failed} failed, 0 skipped`);
  process.exitCode = failed === 0 ? 0 : 1;
}

/** Takes the vectors from TypeScript to Python and back, in binary and in JSON. Returns how many do not survive. */
function roundTrip(command: string): number {
  const out = mkdtempSync(join(tmpdir(), "signalbox-round-trip-"));
  try {
    const vendored = join(PACKAGE, ".vendor/proto");
    vendorProtovalidate(vendored);
    const script = join(PACKAGE, "python/round_trip.py");
    const args = [script, vendored, join(PACKAGE, "proto"), "--vectors", VECTORS, "--out", out];
    const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
    if (error) throw error;
    process.stderr.write(stderr);
    const refused = vectors.filter(({ file }) => stderr.includes(`${file}: `));
    // A crash of the script names no vector: then none of them has passed.
    if (status !== 0 && refused.length === 0) return vectors.length;
    const changed = vectors.filter((vector) => !refused.includes(vector) && !survives(vector, out));
    changed.forEach(({ file }) =>
      console.error(`${file}: what Python wrote is another message in TypeScript`),
    );
    return refused.length + changed.length;
  } finally {
    rmSync(out, { recursive: true });
  }
}

function survives({ message, file }: Vector, out: string): boolean {
  const schema = CONTRACT_MESSAGES.find(({ typeName }) => typeName === message);
  if (schema === undefined) return false;
  const original = fromBinary(schema, readFileSync(join(VECTORS, `${file}.binpb`)));
  const binary = fromBinary(schema, readFileSync(join(out, `${file}.binpb`)));
  const json = fromJson(schema, JSON.parse(readFileSync(join(out, `${file}.json`), "utf8")));
  return equals(schema, original, binary) && equals(schema, original, json);
}

function succeeds(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}
