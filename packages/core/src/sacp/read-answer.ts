import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { parseJson, SignalboxError } from "@signalbox/contracts";
import { fallbackResponse, type SacpResponse, SacpResponseSchema } from "@signalbox/contracts/sacp";

export type ReadAnswer = {
  readonly answer: SacpResponse;
  readonly data: JsonObject;
  /** It was none: this is what stands in for it. */
  readonly isFallback: boolean;
};

const MOST_RAW = 65_536;

/** SACP-2, SACP-4: what a language model answered, wherever in its text it stands. */
export function readAnswer(text: string): ReadAnswer {
  for (const candidate of candidates(text)) {
    const json = jsonOf(candidate);
    const parsed = SacpResponseSchema.safeParse(json);
    if (!parsed.success || !isObject(json)) continue;
    return { answer: parsed.data, data: objectOf(json["data"]), isFallback: false };
  }
  const raw = text.slice(0, MOST_RAW).toWellFormed();
  return { answer: fallbackResponse(raw), data: { raw_output: raw }, isFallback: true };
}

function* candidates(text: string): Iterable<string> {
  yield text.trim();
  const opening = /```[a-z]*\s*\n/i.exec(text);
  if (opening !== null) {
    const from = opening.index + opening[0].length;
    const end = text.indexOf("```", from);
    if (end > from) yield text.slice(from, end).trim();
  }
  const [first, last] = [text.indexOf("{"), text.lastIndexOf("}")];
  if (first >= 0 && last > first) yield text.slice(first, last + 1);
}

function jsonOf(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SignalboxError) return undefined;
    throw error;
  }
}

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
