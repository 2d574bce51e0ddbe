import { type DescMessage, fromBinary, fromJson, type MessageShape } from "@bufbuild/protobuf";
import { MOST_VIOLATIONS, SignalboxError, type Violation } from "../errors/signalbox-error.ts";
import { findJsonFaults } from "./find-json-faults.ts";
import { findMessageFaults } from "./find-message-faults.ts";
import { isPlainMapping } from "./is-plain-mapping.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { parseJson } from "./parse-json.ts";
import { checkSize } from "./read-text.ts";
import { scanWire } from "./scan-wire.ts";

export type DecodeOptions = {
  readonly limits?: Partial<Limits>;
  /**
   * A field that this version does not know: between programs it is dropped, so that a newer sender is understood and
   * nothing is kept that nothing here has judged; in a document that people write it is a slip of the pen.
   */
  readonly unknownFields?: "drop" | "refuse";
};

/** A message from its protobuf JSON mapping. It is well formed; `checkMessage` says whether it keeps the rules. */
export function decodeMessageJson<Desc extends DescMessage>(
  schema: Desc,
  input: Uint8Array | string,
  options: DecodeOptions = {},
): MessageShape<Desc> {
  const json = parseJson(input, options.limits);
  const read = () =>
    fromJson(schema, json, { ignoreUnknownFields: true, recursionLimit: recursionLimit(options) });
  if (isPlainMapping(schema, json)) return readable(schema, read);
  refuseFaults(
    schema,
    findJsonFaults(schema, json, { refuseUnknownFields: options.unknownFields === "refuse" }),
  );
  return withoutFaults(schema, readable(schema, read));
}

/** A message from the binary wire format. It is well formed; `checkMessage` says whether it keeps the rules. */
export function decodeMessageBinary<Desc extends DescMessage>(
  schema: Desc,
  bytes: Uint8Array,
  options: DecodeOptions = {},
): MessageShape<Desc> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const refuseUnknownFields = options.unknownFields === "refuse";
  checkSize(bytes.length, limits.maxBytes);
  scanWire(schema, bytes, limits, { refuseUnknownFields });
  const message = readable(
    schema,
    () => fromBinary(schema, bytes, { readUnknownFields: false, recursionLimit: recursionLimit(options) }),
    () => scanWire(schema, bytes, limits, { refuseUnknownFields, readStrings: true }),
  );
  return withoutFaults(schema, message);
}

function readable<Desc extends DescMessage>(
  schema: Desc,
  read: () => MessageShape<Desc>,
  locate?: () => void,
): MessageShape<Desc> {
  try {
    return read();
  } catch (cause) {
    locate?.();
    throw new SignalboxError("MALFORMED_BODY", `The body is not a ${schema.name}`, {
      violations: [{ field: "", rule: "message", message: `is not a ${schema.typeName}` }],
      cause,
    });
  }
}

function withoutFaults<Desc extends DescMessage>(
  schema: Desc,
  message: MessageShape<Desc>,
): MessageShape<Desc> {
  refuseFaults(schema, findMessageFaults(schema, message));
  return message;
}

/** protobuf-es counts messages; a level of JSON is at most three of them. */
const recursionLimit = ({ limits }: DecodeOptions): number =>
  4 + 3 * (limits?.maxDepth ?? DEFAULT_LIMITS.maxDepth);

function refuseFaults(schema: DescMessage, violations: readonly Violation[]): void {
  if (violations.length > 0) throw validationFailed(schema, violations);
}

export function validationFailed(schema: DescMessage, violations: readonly Violation[]): SignalboxError {
  const count = violations.length;
  const faults =
    count === 1 ? "a fault" : count < MOST_VIOLATIONS ? `${count} faults` : "a hundred faults or more";
  return new SignalboxError("VALIDATION_FAILED", `The ${schema.name} has ${faults}`, { violations });
}
