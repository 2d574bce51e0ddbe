import { type DescMessage, getExtension, type Message } from "@bufbuild/protobuf";
import { isReflectList, isReflectMessage, reflect } from "@bufbuild/protobuf/reflect";
import { type FieldRules, FieldRulesSchema } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { rulePatterns, ruleRegistry } from "./predefined-rules.ts";

/** A rule that is set, such as `string.min_len` with 1. */
export type SetRule = { readonly name: string; readonly value: unknown };

/** A rule that is not known here. The message is then left to protovalidate, which knows them all. */
export class UnknownRule extends Error {}

/**
 * The rules of a field that go with its type. One of the contract's own reads as the `string.pattern` that it is.
 * Those beside the type (required, cel, ignore) are not among them.
 */
export function readTypeRules(rules: FieldRules | undefined): SetRule[] {
  if (rules?.type.case === undefined) return [];
  const { case: kind, value } = rules.type;
  const schema = FieldRulesSchema.field[kind].message;
  if (schema === undefined) return [];
  return [
    ...readRules(schema, value).map((rule) => ({ name: `${kind}.${rule.name}`, value: rule.value })),
    ...patternsOf(schema, value).map((pattern) => ({ name: "string.pattern", value: pattern })),
  ];
}

/** What is set in a message of rules, by name, in plain values. */
export function readRules(schema: DescMessage, rules: Message): SetRule[] {
  const reflected = reflect(schema, rules);
  return schema.fields
    .filter((rule) => reflected.isSet(rule))
    .map((rule) => ({ name: rule.name, value: plain(reflected.get(rule)) }));
}

function plain(value: unknown): unknown {
  if (isReflectList(value)) return [...value];
  return isReflectMessage(value) ? value.message : value;
}

function patternsOf(schema: DescMessage, rules: Message): string[] {
  return (rules.$unknown ?? []).map(({ no }) => {
    const extension = ruleRegistry.getExtensionFor(schema, no);
    const pattern = extension && rulePatterns.get(extension);
    if (extension === undefined || pattern === undefined) {
      throw new UnknownRule(
        `${schema.typeName} has an extension ${no} that is not one of the contract's rules`,
      );
    }
    if (getExtension(rules, extension) !== true)
      throw new UnknownRule(`${extension.typeName} can only be set to true`);
    return pattern;
  });
}
