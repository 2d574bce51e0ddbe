import { ERROR_CODES, PROBLEM_MEDIA_TYPE, type ErrorCode, type JsonSchema } from "@signalbox/contracts";
import type { Answer, Operation, Operations, RequestBody } from "./operation.ts";
import { tags } from "./operation.ts";
import { parametersOf } from "./parameters.ts";
import { collectSchemas } from "./component-schemas.ts";
import { problem } from "./schemas/common.ts";

export type DescribedRoute = { readonly method: string; readonly url: string };

export type OpenApiDocument = {
  readonly openapi: "3.1.1";
  readonly paths: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema;
} & JsonSchema;

type Schemas = ReturnType<typeof collectSchemas>;

/** What may come of any request, whoever sends it and wherever it goes. */
const everywhere: readonly ErrorCode[] = ["RATE_LIMITED", "INTERNAL", "UNAVAILABLE"];

/** The document of these routes and no others: what the router does not have is not promised. */
export function openApiDocument(
  routes: readonly DescribedRoute[],
  operations: Operations,
  version: string,
): OpenApiDocument {
  const schemas = collectSchemas();
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const { method, url } of routes) {
    const operation = operations[`${method} ${url}`];
    if (operation === undefined) continue;
    (paths[url.replaceAll(/:(\w+)/g, "{$1}")] ??= {})[method.toLowerCase()] = described(operation, schemas);
  }
  const used = new Set(routes.flatMap(({ method, url }) => operations[`${method} ${url}`]?.tag ?? []));
  return {
    openapi: "3.1.1",
    info: {
      title: "Signalbox",
      version,
      description:
        "The control plane for teams whose agents do real work. Bodies of the contract's messages are its protobuf " +
        "JSON mapping; every refusal is a problem of one closed set of codes. " +
        "What happens is told as it happens over the WebSocket at /v1/stream, which OpenAPI cannot describe: docs/stream.md does.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "This server." }],
    tags: Object.entries(tags)
      .filter(([name]) => [...used].some((one) => one === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.all(),
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A program's key." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "signalbox_session",
          description:
            "A person's session; over https `__Host-signalbox_session`. A request that changes something must come from Signalbox's own pages.",
        },
      },
    },
  };
}

function described(operation: Operation, schemas: Schemas): JsonSchema {
  const { id, tag, summary, description, access, body, answers, repeated } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(typeof access === "object" ? { "x-signalbox-action": access.action } : {}),
    ...(typeof repeated === "object" ? { "x-signalbox-repeated": repeated.safeBecause } : {}),
    security: access === "open" ? [] : [{ key: [] }, { session: [] }],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: requestBody(body, schemas) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, response(answer, schemas)]),
      ),
      ...problems(operation, schemas),
    },
  };
}

function requestBody(
  { schema, example, optional, yaml, mediaType = "application/json" }: RequestBody,
  schemas: Schemas,
): JsonSchema {
  const media = { schema: schemas.of(schema), example };
  const types = yaml === true ? ["application/yaml", "text/yaml"] : [mediaType];
  return {
    required: optional !== true,
    content: Object.fromEntries(types.map((type) => [type, media])),
  };
}

function response(
  { description, schema, mediaType = "application/json", headers = {} }: Answer,
  schemas: Schemas,
) {
  const named = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: "string" } },
  ]);
  return {
    description,
    ...(named.length === 0 ? {} : { headers: Object.fromEntries(named) }),
    ...(schema === undefined ? {} : { content: { [mediaType]: { schema: schemas.of(schema) } } }),
  };
}

/** docs/limits.md. */
const retryAfter = {
  description: "Whole seconds after which the request may be sent again.",
  schema: { type: "integer", minimum: 1 },
};
const saysWhen: ReadonlySet<number> = new Set([429, 503]);

function problems(
  { access, body, query, headers, answers, refuses = [], repeated }: Operation,
  schemas: Schemas,
) {
  const codes = new Set<ErrorCode>([
    ...(access === "open" ? [] : (["UNAUTHENTICATED"] as const)),
    ...(typeof access === "object" ? (["FORBIDDEN"] as const) : []),
    ...(body === undefined
      ? []
      : (["MALFORMED_BODY", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "VALIDATION_FAILED"] as const)),
    ...(query === undefined && headers === undefined ? [] : (["VALIDATION_FAILED"] as const)),
    ...(repeated === "key" ? (["VALIDATION_FAILED", "IDEMPOTENCY_KEY_REUSED"] as const) : []),
    ...refuses,
    ...everywhere,
  ]);
  const byStatus = Map.groupBy(codes, (code) => ERROR_CODES[code].httpStatus);
  const listed = [...byStatus]
    .filter(([status]) => answers[status] === undefined)
    .map(([status, ofStatus]) => [
      status,
      {
        ...(saysWhen.has(status) ? { headers: { "retry-after": retryAfter } } : {}),
        description: ofStatus.map((code) => `${code}: ${ERROR_CODES[code].title}.`).join(" "),
        content: { [PROBLEM_MEDIA_TYPE]: { schema: schemas.of(problem) } },
      },
    ]);
  return Object.fromEntries(listed);
}
