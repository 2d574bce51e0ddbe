import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonValue } from "@bufbuild/protobuf";
import { CONTRACT_MESSAGES, jsonSchema, type JsonSchema } from "../src/index.ts";
import { goldenVectors } from "./vectors/golden-vectors.ts";

/** Writes json-schema/ and vectors/ below `target`, from the generated descriptors that this process has loaded. */
export function writeDocuments(target: string): void {
  for (const schema of CONTRACT_MESSAGES) {
    write(join(target, "json-schema", `${schema.name}.json`), text(jsonSchema(schema)));
  }
  const vectors = goldenVectors();
  for (const { vector, json, binary } of vectors) {
    write(join(target, "vectors", `${vector.file}.json`), text(json));
    write(join(target, "vectors", `${vector.file}.binpb`), binary);
  }
  write(join(target, "vectors", "manifest.json"), text(vectors.map(({ vector }) => vector)));
}

function text(value: JsonValue | JsonSchema | readonly object[]): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const [target] = process.argv.slice(2);
if (import.meta.main && target !== undefined) writeDocuments(target);
