import type { JsonSchema } from "@signalbox/contracts";
import { z } from "zod";
import type { Operation } from "./operation.ts";

type Place = "path" | "query" | "header";
type Named = {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string | undefined;
  readonly example?: string | undefined;
  readonly schema?: unknown;
};

const parameter = (place: Place, { name, required, description, example, schema }: Named): JsonSchema => ({
  name,
  in: place,
  required,
  ...(description === undefined ? {} : { description }),
  schema: schema ?? { type: "string" },
  ...(example === undefined ? {} : { example }),
});

export function parametersOf(operation: Operation): JsonSchema[] {
  const { path = {}, query, exampleQuery = {}, headers = {}, repeated } = operation;
  const { properties = {} } = query === undefined ? {} : z.toJSONSchema(query, { io: "input" });
  return [
    ...Object.entries(path).map(([name, { description, example }]) =>
      parameter("path", { name, required: true, description, example }),
    ),
    ...Object.entries(properties).map(([name, schema]) =>
      parameter("query", { name, required: false, example: exampleQuery[name], schema }),
    ),
    ...Object.entries(headers).map(([name, { required, description, example }]) =>
      parameter("header", { name, required, description, example }),
    ),
    ...(repeated === "key" ? [idempotencyKey] : []),
  ];
}

const idempotencyKey = parameter("header", {
  name: "Idempotency-Key",
  required: false,
  description:
    "Names this request for 24 hours: sent again with the same body it is answered as the first time and done once; " +
    "with another body it is refused.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
});
