import type { DescMessage } from "@bufbuild/protobuf";
import { jsonSchema, type JsonSchema } from "@signalbox/contracts";
import { z } from "zod";
import type { BodySchema } from "./operation.ts";
import { components, messageOf } from "./schemas/component.ts";
import { withIdsDescribed } from "./schemas/ids.ts";

const place = "#/components/schemas/";

/** Names the schemas that operations use, and gives each of them once. */
export function collectSchemas() {
  const messages = new Map<string, JsonSchema>();

  function reference(message: DescMessage): JsonSchema {
    if (!messages.has(message.name)) {
      const definitions = jsonSchema(message)["$defs"];
      for (const [name, definition] of Object.entries(definitions ?? {})) {
        messages.set(shortName(name), withIdsDescribed(shortName(name), moved(definition)));
      }
    }
    return { $ref: `${place}${message.name}` };
  }
  const override: NonNullable<Parameters<typeof z.toJSONSchema>[1]>["override"] = ({
    zodSchema,
    jsonSchema: made,
  }) => {
    const message = messageOf(zodSchema);
    if (message !== undefined) Object.assign(made, reference(message));
  };

  return {
    of(schema: BodySchema): JsonSchema {
      if ("typeName" in schema) return reference(schema);
      const id = components.get(schema)?.id;
      if (id !== undefined) return { $ref: `${place}${id}` };
      return within(z.toJSONSchema(schema, { io: "input", metadata: components, override }));
    },
    all(): Record<string, JsonSchema> {
      const { schemas } = z.toJSONSchema(components, { uri: (id) => `${place}${id}`, override });
      const named = Object.entries(schemas).map(([id, schema]) => [id, within(schema)] as const);
      const all = [...named, ...messages].toSorted(([one], [other]) => one.localeCompare(other));
      return Object.fromEntries(all);
    },
  };
}

const ofDocuments = new Set(["$schema", "$id"]);

/** A schema that stands in the document and is none by itself. */
const within = (schema: object): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !ofDocuments.has(keyword)));

const shortName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** A message's schema refers to its neighbours where a document of its own has them. */
function moved(value: unknown): JsonSchema {
  const text = JSON.stringify(value, (key, inner: unknown) =>
    key === "$ref" && typeof inner === "string" ? `${place}${shortName(inner)}` : inner,
  );
  return JSON.parse(text);
}
