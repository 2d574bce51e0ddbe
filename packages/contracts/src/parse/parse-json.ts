import type { JsonValue } from "@bufbuild/protobuf";
import { SignalboxError } from "../errors/signalbox-error.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { readText } from "./read-text.ts";
import { scanJson } from "./scan-json.ts";

/** Reads JSON from outside: I-JSON (RFC 7493) within limits; what it refuses, it refuses with the path. */
export function parseJson(input: Uint8Array | string, limits: Partial<Limits> = {}): JsonValue {
  const bounds = { ...DEFAULT_LIMITS, ...limits };
  const text = readText(input, bounds.maxBytes);
  scanJson(text, bounds);
  try {
    return JSON.parse(text);
  } catch (cause) {
    scanJson(text, bounds, { controls: true });
    throw new SignalboxError("MALFORMED_BODY", "The body is not JSON", { cause });
  }
}
