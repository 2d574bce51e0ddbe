import type {
  DescriptorProto,
  EnumDescriptorProto,
  FieldDescriptorProto,
  FileDescriptorProto,
} from "@bufbuild/protobuf/wkt";
import {
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from "@bufbuild/protobuf/wkt";
import { FieldDescriptorProtoSchema, FieldOptionsSchema } from "@bufbuild/protobuf/wkt";
import { isFieldSet } from "@bufbuild/protobuf";

const SCALAR_NAMES: Partial<Record<Type, string>> = {
  [Type.DOUBLE]: "double",
  [Type.FLOAT]: "float",
  [Type.INT64]: "int64",
  [Type.UINT64]: "uint64",
  [Type.INT32]: "int32",
  [Type.FIXED64]: "fixed64",
  [Type.FIXED32]: "fixed32",
  [Type.BOOL]: "bool",
  [Type.STRING]: "string",
  [Type.BYTES]: "bytes",
  [Type.UINT32]: "uint32",
  [Type.SFIXED32]: "sfixed32",
  [Type.SFIXED64]: "sfixed64",
  [Type.SINT32]: "sint32",
  [Type.SINT64]: "sint64",
};

const LAST_FIELD_NUMBER = 536_870_911;
const LAST_ENUM_NUMBER = 2_147_483_647;

/**
 * The text of a proto2 file that compiles to this descriptor. Comments and custom options are left out: they
 * are not needed to resolve an import, and the runtime reads them from the descriptor it ships with.
 */
export function printProto2(file: FileDescriptorProto): string {
  if (file.syntax !== "" && file.syntax !== "proto2") {
    throw new Error(`${file.name} has syntax "${file.syntax}"; only proto2 can be printed`);
  }
  return [
    `syntax = "proto2";`,
    `package ${file.package};`,
    ...file.dependency.map((path) => `import "${path}";`),
    ...file.messageType.flatMap(printMessage),
    ...file.enumType.flatMap(printEnum),
    ...printExtensions(file.extension),
    "",
  ].join("\n");
}

function printMessage(message: DescriptorProto): string[] {
  const oneofs = new Set<number>();
  const fields = message.field.flatMap((field) => {
    const index = oneofIndex(field);
    if (index === undefined) return [printField(field, label(field))];
    if (oneofs.has(index)) return [];
    oneofs.add(index);
    const members = message.field.filter((other) => oneofIndex(other) === index);
    return block(
      `oneof ${message.oneofDecl[index]?.name}`,
      members.map((member) => printField(member, "")),
    );
  });
  return block(`message ${message.name}`, [
    ...statement("reserved", halfOpen(message.reservedRange)),
    ...statement(
      "reserved",
      message.reservedName.map((name) => `"${name}"`),
    ),
    ...statement("extensions", halfOpen(message.extensionRange)),
    ...fields,
    ...message.nestedType.flatMap(printMessage),
    ...message.enumType.flatMap(printEnum),
    ...printExtensions(message.extension),
  ]);
}

function printEnum(enumeration: EnumDescriptorProto): string[] {
  const ranges = enumeration.reservedRange.map(({ start, end }) => range(start, end, LAST_ENUM_NUMBER));
  return block(`enum ${enumeration.name}`, [
    ...(enumeration.options?.allowAlias === true ? ["option allow_alias = true;"] : []),
    ...statement("reserved", ranges),
    ...statement(
      "reserved",
      enumeration.reservedName.map((name) => `"${name}"`),
    ),
    ...enumeration.value.map((value) => `${value.name} = ${value.number};`),
  ]);
}

function printExtensions(extensions: readonly FieldDescriptorProto[]): string[] {
  return extensions.flatMap((field) => block(`extend ${field.extendee}`, [printField(field, label(field))]));
}

function printField(field: FieldDescriptorProto, prefix: string): string {
  const type = SCALAR_NAMES[field.type] ?? field.typeName;
  return `${prefix}${type} ${field.name} = ${field.number}${options(field)};`;
}

function label(field: FieldDescriptorProto): string {
  if (field.label === Label.REPEATED) return "repeated ";
  return field.label === Label.REQUIRED ? "required " : "optional ";
}

function options(field: FieldDescriptorProto): string {
  const chosen: string[] = [];
  if (field.options && isFieldSet(field.options, FieldOptionsSchema.field.packed)) {
    chosen.push(`packed = ${field.options.packed}`);
  }
  if (field.options?.deprecated === true) chosen.push("deprecated = true");
  if (field.defaultValue !== "") {
    const text = field.type === Type.STRING ? JSON.stringify(field.defaultValue) : field.defaultValue;
    chosen.push(`default = ${text}`);
  }
  return chosen.length === 0 ? "" : ` [${chosen.join(", ")}]`;
}

function oneofIndex(field: FieldDescriptorProto): number | undefined {
  return isFieldSet(field, FieldDescriptorProtoSchema.field.oneofIndex) ? field.oneofIndex : undefined;
}

/** Message ranges end before `end`, unlike enum ranges, whose end is included. */
function halfOpen(ranges: readonly { start: number; end: number }[]): string[] {
  return ranges.map(({ start, end }) => range(start, end - 1, LAST_FIELD_NUMBER));
}

function range(first: number, last: number, limit: number): string {
  if (first === last) return `${first}`;
  return `${first} to ${last >= limit ? "max" : last}`;
}

function statement(keyword: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${keyword} ${items.join(", ")};`];
}

function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), "}"];
}
