import type { DescMessage } from "@bufbuild/protobuf";
import { messageSchema } from "./message-schema.ts";
import type { JsonSchema } from "./rule-keywords.ts";

/**
 * The JSON Schema (2020-12) of a message in the protobuf JSON mapping, made from its descriptor and rules. It speaks
 * of the mapping's canonical form: lowerCamelCase names, no null, no field that the message does not have. What it
 * cannot say, a rule across fields, stands in it as `x-cel`.
 */
export function jsonSchema(message: DescMessage): JsonSchema {
  const definitions = new Map<string, JsonSchema>();
  const reference = define(message);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `urn:signalbox:schema:${message.typeName}`,
    title: message.name,
    ...reference,
    $defs: Object.fromEntries([...definitions].toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };

  function define(nested: DescMessage): JsonSchema {
    if (!definitions.has(nested.typeName)) {
      definitions.set(nested.typeName, {});
      definitions.set(nested.typeName, messageSchema(nested, define));
    }
    return { $ref: `#/$defs/${nested.typeName}` };
  }
}
