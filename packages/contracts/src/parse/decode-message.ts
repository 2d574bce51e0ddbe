import { type DescMessage, fromBinary, fromJson, type MessageShape } from "@bufbuild/protobuf";
import { SignalboxError } from "../errors/signalbox-error.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { parseJson } from "./parse-json.ts";
import { checkSize } from "./read-text.ts";

export type DecodeOptions = {
  readonly limits?: Partial<Limits>;
  /**
   * A field this version does not know: between programs it is ignored, so that a newer sender is understood; in a
   * document that people write it is refused, since it is a slip of the pen.
   */
  readonly unknownFields?: "ignore" | "refuse";
};

/** A message from its protobuf JSON mapping. The result is well formed; `checkMessage` says whether it is valid. */
export function decodeMessageJson<Desc extends DescMessage>(
  schema: Desc,
  input: Uint8Array | string,
  options: DecodeOptions = {},
): MessageShape<Desc> {
  const json = parseJson(input, options.limits);
  try {
    return fromJson(schema, json, { ignoreUnknownFields: options.unknownFields !== "refuse" });
  } catch (cause) {
    throw new SignalboxError("VALIDATION_FAILED", `The body is not a ${schema.name}`, { cause });
  }
}

/** A message from the binary wire format. The result is well formed; `checkMessage` says whether it is valid. */
export function decodeMessageBinary<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  options: DecodeOptions = {},
): MessageShape<Desc> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  checkSize(bytes.length, limits.maxBytes);
  try {
    return fromBinary(schema, bytes, { readUnknownFields: false });
  } catch (cause) {
    throw new SignalboxError("MALFORMED_BODY", `The body is not a ${schema.name}`, { cause });
  }
}
