import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type DescMessage, type JsonValue } from "@bufbuild/protobuf";
import { CONTRACT_MESSAGES } from "../src/index.ts";
import type { Vector } from "../scripts/vectors/golden-vectors.ts";

const FOLDER = join(import.meta.dirname, "../vectors");

/** The committed golden vectors, as any other language would read them. */
export const VECTORS: readonly Vector[] = JSON.parse(readFileSync(join(FOLDER, "manifest.json"), "utf8"));

export function vectorJson({ file }: Vector): JsonValue {
  return JSON.parse(readFileSync(join(FOLDER, `${file}.json`), "utf8"));
}

export function vectorBinary({ file }: Vector): Uint8Array {
  return readFileSync(join(FOLDER, `${file}.binpb`));
}

export function vectorSchema({ message }: Vector): DescMessage {
  const schema = CONTRACT_MESSAGES.find(({ typeName }) => typeName === message);
  if (schema === undefined) throw new Error(`${message} is no message of the contract`);
  return schema;
}
