import { createConfig, lintFromString } from "@redocly/openapi-core";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { z } from "zod";

const media = z.looseObject({ schema: z.unknown().optional(), example: z.unknown().optional() });
const parameter = z.looseObject({
  name: z.string(),
  in: z.enum(["path", "query", "header", "cookie"]),
  required: z.boolean().optional(),
  example: z.string().optional(),
});
const operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()),
  parameters: z.array(parameter).default([]),
  requestBody: z.looseObject({ content: z.record(z.string(), media) }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), media).optional() })),
});
const documentSchema = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});
export type ReadOperation = z.infer<typeof operation> & { method: string; path: string };

/** The document as a client's tool reads it: nothing of the code that made it. */
export function readDocument(json: unknown) {
  const { paths, components } = documentSchema.parse(json);
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]): ReadOperation =>
      Object.assign(one, { method: method.toUpperCase(), path }),
    ),
  );
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: "urn:signalbox:openapi", components }, "urn:signalbox:openapi");
  const faultsOf = (schema: unknown, body: unknown): string[] => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"urn:signalbox:openapi#/components');
    const validate = ajv.compile(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
    return validate(body) ? [] : (validate.errors ?? []).map((fault) => JSON.stringify(fault));
  };
  return { operations, faultsOf };
}

/** What a linter of such documents says of it. */
export async function lint(document: string): Promise<string[]> {
  const config = await createConfig({
    extends: ["recommended"],
    rules: {
      // The document is served by the server that it describes, whatever its address.
      "no-server-example.com": "off",
      // `default` would say less than the codes do; 4xx stands wherever one can come.
      "operation-4xx-response": "off",
    },
  });
  const problems = await lintFromString({ source: document, absoluteRef: "openapi.json", config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
  );
}
