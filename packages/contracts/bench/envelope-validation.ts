import { fromBinary, fromJson, toBinary, toJsonString } from "@bufbuild/protobuf";
import { findViolations, TaskEnvelopeSchema, validator } from "../src/index.ts";
import { benchEnvelope } from "./envelope.ts";
import { rate } from "./rate.ts";

const TARGET = 30_000;

const envelope = benchEnvelope();
const binary = toBinary(TaskEnvelopeSchema, envelope);
const json = toJsonString(TaskEnvelopeSchema, envelope);

function mustBeValid(candidate: typeof envelope): void {
  if (findViolations(TaskEnvelopeSchema, candidate).length > 0) throw new Error("the envelope must be valid");
}

const reference = rate(() => JSON.parse(json));
const measured = {
  validate: rate(() => mustBeValid(envelope)),
  "decode binary and validate": rate(() => mustBeValid(fromBinary(TaskEnvelopeSchema, binary))),
  "decode JSON and validate": rate(() => mustBeValid(fromJson(TaskEnvelopeSchema, JSON.parse(json)))),
  "validate by protovalidate alone": rate(() => validator.validate(TaskEnvelopeSchema, envelope)),
};

console.log(`TaskEnvelope: ${binary.length} bytes binary, ${json.length} bytes JSON; one core`);
console.log(
  `${"JSON.parse of the same".padEnd(34)}${Math.round(reference).toLocaleString("en").padStart(12)}/s`,
);
for (const [name, runs] of Object.entries(measured)) {
  const ratio = (runs / reference).toFixed(2);
  console.log(
    `${name.padEnd(34)}${Math.round(runs).toLocaleString("en").padStart(12)}/s  ${ratio} × JSON.parse`,
  );
}
const verdict = measured.validate >= TARGET ? "reached" : "missed";
console.log(`target of ${TARGET.toLocaleString("en")} validations/s: ${verdict}`);
