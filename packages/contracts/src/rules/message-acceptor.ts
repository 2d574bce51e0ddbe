import { type DescField, type DescMessage, type DescOneof, getOption } from "@bufbuild/protobuf";
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
import { readRules, type SetRule, UnknownRule } from "./read-rules.ts";
import { type Accept, every, valueAcceptor } from "./value-acceptor.ts";

/** A generated message, seen by its fields' names. */
type Fields = { readonly [name: string]: unknown };
type AcceptFields = (message: Fields) => boolean;

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
  refuseBut(["cel"], readRules(MessageRulesSchema, rules));
  const fields = every([...schema.fields.map(fieldAcceptor), ...schema.oneofs.map(oneofAcceptor)]);
  const acrossFields = rules.cel.map(({ id }) => {
    const holds = messageRules.get(id);
    if (holds === undefined) throw new UnknownRule(`${schema.typeName}: no function for ${id}`);
    return holds;
  });
  return every([fields && ((value) => isFields(value) && fields(value)), ...acrossFields]);
}

function fieldAcceptor(field: DescField): AcceptFields | undefined {
  const rules = getOption(field, fieldRules);
  refuseBut(["required", rules.type.case], readRules(FieldRulesSchema, rules));
  const { required } = rules;
  if (field.fieldKind === "list") {
    return listAcceptor(field, rules.type.case === "repeated" ? rules.type.value : undefined);
  }
  if (field.fieldKind === "message") {
    const holds = every([valueAcceptor(field, rules), messageAcceptor(field.message)]);
    return holds || required ? whenSet(field, holds, !required) : undefined;
  }
  if (field.fieldKind === "map") throw new UnknownRule(`${field.toString()} is a map`);
  if (required) throw new UnknownRule(`${field.toString()} is required, but has no presence`);
  const holds = valueAcceptor(field, rules);
  return holds && whenSet(field, holds, true);
}

function listAcceptor(
  field: DescField & { fieldKind: "list" },
  rules: RepeatedRules | undefined,
): AcceptFields | undefined {
  if (rules) refuseBut(["min_items", "max_items", "items"], readRules(RepeatedRulesSchema, rules));
  const { minItems = 0n, maxItems = 0n, items } = rules ?? {};
  const holds = every([
    valueAcceptor(field, items),
    field.listKind === "message" ? messageAcceptor(field.message) : undefined,
  ]);
  const check = every<readonly unknown[]>([
    minItems > 0n && ((list) => list.length >= minItems),
    maxItems > 0n && ((list) => list.length <= maxItems),
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

/** A rule that nobody reads would be passed over in silence. */
function refuseBut(known: readonly (string | undefined)[], rules: readonly SetRule[]): void {
  const unknown = rules.find(({ name }) => !known.includes(name));
  if (unknown !== undefined) throw new UnknownRule(unknown.name);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
