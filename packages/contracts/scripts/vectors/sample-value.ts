import { type DescField, getOption, type JsonObject, ScalarType } from "@bufbuild/protobuf";
import { field as fieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { readTypeRules, type SetRule } from "../../src/rules/read-rules.ts";

/** JSON of the well-known types. Struct keys are sorted, so that its binary form is the same in every language. */
export const WELL_KNOWN_SAMPLES: Readonly<Record<string, string | JsonObject>> = {
  "google.protobuf.Timestamp": "2026-02-24T12:00:00.250Z",
  "google.protobuf.Duration": "90.500s",
  "google.protobuf.Struct": {
    a_null: null,
    bool: true,
    list: ["one", 2, { three: 3 }],
    number: -0.5,
    struct: { nested: "value" },
    text: 'süß ☂ "quoted" \\ \n',
  },
};

const BY_NAME: Readonly<Record<string, string>> = {
  digest: "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
  pack_id: "senior-ts-dev",
  selected_pack_id: "senior-ts-dev",
  candidate_pack_ids: "senior-ts-dev",
  trace_id: "0af7651916cd43dd8448eb211c80319c",
  span_id: "b7ad6b7169203331",
  target_stage_id: "verify",
  depends_on_stages: "implement",
  stage_id: "review",
};

/** A value of a scalar or enum field that its rules accept and that is not the zero value. */
export function sampleScalar(field: DescField): string | number | boolean {
  const rules = typeRules(field);
  if (field.enum) return field.enum.values.at(-1)?.number ?? 0;
  if (field.scalar === ScalarType.STRING) return sampleString(field, rules);
  if (field.scalar === ScalarType.BOOL) return true;
  if (field.scalar === ScalarType.INT32) return 3;
  if (field.scalar === ScalarType.DOUBLE) return 0.5;
  throw new Error(`${field.toString()} is of a type that no vector has a sample for yet`);
}

/** The rules of a value; of an item, where the field is a list. */
export function typeRules(field: DescField): SetRule[] {
  const rules = getOption(field, fieldRules);
  if (field.fieldKind !== "list") return readTypeRules(rules);
  return readTypeRules(rules.type.case === "repeated" ? rules.type.value.items : undefined);
}

function sampleString(field: DescField, rules: readonly SetRule[]): string {
  const allowed = rules.find(({ name }) => name === "string.in")?.value;
  if (Array.isArray(allowed)) return String(allowed.at(-1));
  if (rules.some(({ name }) => name === "string.pattern")) return "1.4.0-rc.1+build.7";
  return BY_NAME[field.name] ?? `the ${field.name.replaceAll("_", " ")}`;
}
