import { fromBinary, fromJson, fromJsonString, toBinary, toJsonString } from "@bufbuild/protobuf";
import {
  checkMessage,
  decodeMessageBinary,
  decodeMessageJson,
  findViolations,
  parseJson,
  TaskEnvelopeSchema,
} from "../src/index.ts";
import { benchEnvelope } from "./envelope.ts";
import { rate } from "./rate.ts";

const envelope = benchEnvelope();
const binary = toBinary(TaskEnvelopeSchema, envelope);
const text = toJsonString(TaskEnvelopeSchema, envelope);
const bytes = new TextEncoder().encode(text);
const utf8 = new TextDecoder();
const pretty = new TextEncoder().encode(JSON.stringify(JSON.parse(text), undefined, 2));
// What a Struct is made of: short keys and small values, which cost the scan the most for their size.
const dense = new TextEncoder().encode(
  JSON.stringify(
    Array.from({ length: 2000 }, (_, id) => ({ id, ok: true, at: [id, id + 1], name: `n${id}` })),
  ),
);

/** Each comparison in one run, so that only its ratio has to be believed. */
const comparisons: readonly [what: string, theirs: () => unknown, ours: () => unknown][] = [
  ["JSON, an envelope", () => JSON.parse(utf8.decode(bytes)), () => parseJson(bytes)],
  ["JSON, an envelope, indented", () => JSON.parse(utf8.decode(pretty)), () => parseJson(pretty)],
  ["JSON, dense with keys", () => JSON.parse(utf8.decode(dense)), () => parseJson(dense)],
  ["JSON to message, by fromJson", () => fromJson(TaskEnvelopeSchema, JSON.parse(text)), decodeJson],
  ["JSON to message, by fromJsonString", () => fromJsonString(TaskEnvelopeSchema, text), decodeJson],
  ["binary to message, by fromBinary", () => fromBinary(TaskEnvelopeSchema, binary), decodeBinary],
  [
    "check, by findViolations",
    () => findViolations(TaskEnvelopeSchema, envelope),
    () => checkMessage(TaskEnvelopeSchema, envelope),
  ],
];

function decodeJson(): unknown {
  return decodeMessageJson(TaskEnvelopeSchema, bytes);
}

function decodeBinary(): unknown {
  return decodeMessageBinary(TaskEnvelopeSchema, binary);
}

console.log(
  `Untrusted input: ${bytes.length} bytes JSON, ${binary.length} bytes binary, ${dense.length} bytes dense`,
);
for (const [what, theirs, ours] of comparisons) {
  const [reference, measured] = [rate(theirs), rate(ours)];
  const [from, to] = [reference, measured].map((runs) => Math.round(runs).toLocaleString("en").padStart(10));
  console.log(`${what.padEnd(36)}${from}/s  bounded${to}/s  ${(reference / measured).toFixed(2)} × the time`);
}
