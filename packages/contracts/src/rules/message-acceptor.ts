import { type DescField, type DescMessage, type DescOneof, getOption, hasOption } from "@bufbuild/protobuf";
import {
  field as fieldRules,
  FieldRulesSchema,
  message as messageOption,
  MessageRulesSchema,
  oneof as oneofRules,
  type RepeatedRules,
  RepeatedRulesSchema,
} from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { messageRules } from "./message-rules.ts";
import { type Accept, every, setRules, UnknownRule, valueAcceptor } from "./value-acceptor.ts";

/** A generated message, seen by its fields' names. */
type Fields = { readonly [name: string]: unknown };
type AcceptFields = (message: Fields) => boolean;

const KNOWN_FIELD_RULES = ["required", "string", "int32", "double", "duration", "enum", "repeated"];

const acceptors = new Map<DescMessage, Accept | undefined>();

/**
 * Compiles the rules of a message, and of those within it, to a function that tells whether all of them hold.
 * Returns undefined where there are no rules. Throws UnknownRule where one is beyond it.
 */
export function messageAcceptor(schema: DescMessage): Accept | undefined {
  if (acceptors.has(schema)) return acceptors.get(schema);
  // A message that contains itself comes back here before it is done.
  acceptors.set(schema, () => {
    throw new UnknownRule(`${schema.typeName} cannot be compiled`);
  });
  const acceptor = schema.typeName.startsWith("google.protobuf.") ? undefined : compile(schema);
  acceptors.set(schema, acceptor);
  return acceptor;
}

function compile(schema: DescMessage): Accept | undefined {
  const rules = getOption(schema, messageOption);
  setRules(MessageRulesSchema, rules, ["cel"]);
  const fields = every([...schema.fields.map(fieldAcceptor), ...schema.oneofs.map(oneofAcceptor)]);
  const acrossFields = rules.cel.map(({ id }) => {
    const holds = messageRules.get(id);
    if (holds === undefined) throw new UnknownRule(`${schema.typeName}: no function for ${id}`);
    return holds;
  });
  return every([fields && ((value) => isFields(value) && fields(value)), ...acrossFields]);
}

function fieldAcceptor(field: DescField): AcceptFields | undefined {
  const rules = hasOption(field, fieldRules) ? getOption(field, fieldRules) : undefined;
  if (rules) setRules(FieldRulesSchema, rules, KNOWN_FIELD_RULES);
  const required = rules?.required === true;
  switch (field.fieldKind) {
    case "list":
      return listAcceptor(field, rules?.type.case === "repeated" ? rules.type.value : undefined);
    case "message": {
      const holds = every([valueAcceptor(field, rules), messageAcceptor(field.message)]);
      return holds || required ? whenSet(field, holds, !required) : undefined;
    }
    case "enum":
    case "scalar": {
      if (required) throw new UnknownRule(`${field.toString()} is required, but has no presence`);
      const holds = valueAcceptor(field, rules);
      return holds && whenSet(field, holds, true);
    }
    case "map":
      throw new UnknownRule(`${field.toString()} is a map`);
  }
}

function listAcceptor(
  field: DescField & { fieldKind: "list" },
  rules: RepeatedRules | undefined,
): AcceptFields | undefined {
  const set = rules && setRules(RepeatedRulesSchema, rules, ["min_items", "max_items", "items"]);
  const { minItems, maxItems, items } = rules ?? {};
  const holds = every([
    valueAcceptor(field, items),
    field.listKind === "message" ? messageAcceptor(field.message) : undefined,
  ]);
  const check = every<readonly unknown[]>([
    set?.has("min_items") === true && ((list) => list.length >= Number(minItems)),
    set?.has("max_items") === true && ((list) => list.length <= Number(maxItems)),
    holds && ((list) => list.every(holds)),
  ]);
  const name = field.localName;
  return (
    check &&
    ((message) => {
      const list = message[name];
      return Array.isArray(list) && check(list);
    })
  );
}

function whenSet(field: DescField, holds: Accept = () => true, whenUnset: boolean = true): AcceptFields {
  const { localName, oneof } = field;
  if (oneof === undefined) {
    return (message) => {
      const value = message[localName];
      return value === undefined ? whenUnset : holds(value);
    };
  }
  return (message) => {
    const chosen = message[oneof.localName];
    return isFields(chosen) && (chosen["case"] === localName ? holds(chosen["value"]) : whenUnset);
  };
}

function oneofAcceptor(oneof: DescOneof): AcceptFields | undefined {
  if (!getOption(oneof, oneofRules).required) return undefined;
  return (message) => {
    const chosen = message[oneof.localName];
    return isFields(chosen) && chosen["case"] !== undefined;
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
