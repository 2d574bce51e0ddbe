import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { reflect, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { type Duration, durationFromMs, DurationSchema } from "@bufbuild/protobuf/wkt";
import {
  field as fieldRules,
  message as messageRules,
  oneof as oneofRules,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { readTypeRules } from "../../src/rules/read-rules.ts";
import { crossFieldBreakers } from "./cross-field-breakers.ts";
import { minimalMessage } from "./sample-message.ts";
import { sampleScalar, typeRules } from "./sample-value.ts";

/** One way to break one rule of a message, and no other. */
export type Breaker = { readonly name: string; readonly apply: (message: ReflectMessage) => void };

const BAD_VALUES: Readonly<Record<string, (rule: unknown) => string | number | Duration>> = {
  "string.min_len": () => "",
  "string.max_len": (most) => "x".repeat(Number(most) + 1),
  "string.in": () => "unheard-of",
  "string.pattern": () => "1.4",
  "int32.gte": (least) => Number(least) - 1,
  "int32.lte": (most) => Number(most) + 1,
  "double.gte": (least) => Number(least) - 0.5,
  "double.lte": (most) => Number(most) + 0.5,
  "double.finite": () => Infinity,
  "duration.gt": () => durationFromMs(0),
  "duration.gte": () => durationFromMs(-1),
  "enum.defined_only": () => 9999,
};

/** A breaker for each rule of a message itself: of its fields, its oneofs and across them. */
export function breakersOf(schema: DescMessage): Breaker[] {
  return [
    ...schema.fields.flatMap((field) => [
      ...presenceBreakers(field),
      ...valueBreakers(field),
      ...sizeBreakers(field),
    ]),
    ...schema.oneofs
      .filter((oneof) => getOption(oneof, oneofRules).required)
      .map((oneof) => ({
        name: `${oneof.name}-required`,
        apply: (message: ReflectMessage) => oneof.fields.forEach((member) => message.clear(member)),
      })),
    ...getOption(schema, messageRules).cel.map(({ id }) => {
      const apply = crossFieldBreakers[id];
      if (apply === undefined) throw new Error(`cross-field-breakers.ts has nothing that breaks ${id}`);
      return { name: id.replace(/^.*\./, "").replaceAll("_", "-"), apply };
    }),
  ];
}

function presenceBreakers(field: DescField): Breaker[] {
  if (!getOption(field, fieldRules).required) return [];
  return [{ name: `${field.name}-required`, apply: (message) => message.clear(field) }];
}

function valueBreakers(field: DescField): Breaker[] {
  return typeRules(field)
    .filter(({ name }) => !name.startsWith("repeated."))
    .map(({ name, value }) => ({
      name: `${field.name}-${name.replace(/^.*\./, "")}`,
      apply: (message) => {
        const bad = BAD_VALUES[name]?.(value);
        if (bad === undefined) throw new Error(`rule-breakers.ts has no value that breaks ${name}`);
        if (field.fieldKind === "list") message.get(field).add(bad);
        else message.set(field, typeof bad === "object" ? reflect(DurationSchema, bad) : bad);
      },
    }));
}

function sizeBreakers(field: DescField): Breaker[] {
  if (field.fieldKind !== "list") return [];
  return readTypeRules(getOption(field, fieldRules))
    .filter(({ name }) => name === "repeated.min_items" || name === "repeated.max_items")
    .map(({ name, value }) => ({
      name: `${field.name}-${name.replace(/^.*\./, "")}`,
      apply: (message) => {
        const list = message.get(field);
        if (name === "repeated.min_items") list.clear();
        else
          while (list.size <= Number(value))
            list.add(field.message ? minimalMessage(field.message) : sampleScalar(field));
      },
    }));
}
