import type { DescEnum, DescMessage } from "@bufbuild/protobuf";
import { z } from "zod";

/** Schemas that stand in the document under a name of their own. */
export const components = z.registry<{ id: string }>();

export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id });
  return schema;
}

const messages = new WeakMap<z.core.$ZodType, DescMessage>();

/** A message of the contract within what zod describes: its schema is the contract's own. */
export function contractMessage(message: DescMessage): z.ZodUnknown {
  const schema = z.unknown();
  messages.set(schema, message);
  return schema;
}

export const messageOf = (schema: z.core.$ZodType): DescMessage | undefined => messages.get(schema);

export const namesOf = ({ values }: DescEnum) => z.enum(values.map(({ name }) => name));
