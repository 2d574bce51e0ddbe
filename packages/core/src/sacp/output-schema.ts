import type { JsonObject } from "@bufbuild/protobuf";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { RE2JS } from "re2js";

export type SchemaFault = { readonly path: readonly (string | number)[]; readonly message: string };
/** What is wrong with the data, in words that the agent can be told; null where it meets the schema. */
export type DataCheck = (data: unknown) => string | null;

const LARGEST_SCHEMA = 32_768;
const MOST_FAULTS = 5;

/**
 * Keywords that cost more than one look at the data, or that look elsewhere: an agent says how large the data is, and a
 * template of one tenant is judged on the thread of all.
 */
const refused: Readonly<Record<string, string>> = {
  $ref: "write out what it refers to",
  $dynamicRef: "write out what it refers to",
  $id: "the schema has no name of its own",
  $schema: "draft 2020-12 is meant, and only the schema itself may say so",
  uniqueItems: "it compares every element with every other",
};

/** Patterns in linear time; the engine's own regular expressions may take time without end. */
const linear = Object.assign(
  (pattern: string) => {
    const compiled = RE2JS.compile(pattern);
    // ajv knows patterns apart by their text: without one of its own each would be the first that was compiled.
    return { test: (text: string) => compiled.matcher(text).find(), toString: () => `linear ${pattern}` };
  },
  { code: "linear" },
);

const options = {
  strict: true,
  strictRequired: false,
  strictTypes: false,
  allErrors: false,
  validateFormats: false,
  addUsedSchema: false,
  code: { regExp: linear },
} as const;

/** It judges schemas, and compiles none. */
const judge = new Ajv2020(options);

/** An ajv holds on to whatever it ever compiled, and callers send schemas without end: so one compiles a few, and goes. */
const COMPILED_BY_ONE = 64;
let compiled = 0;
let compiler = newCompiler();

function newCompiler(): Ajv2020 {
  return new Ajv2020({ ...options, meta: false, validateSchema: false });
}

function compile(schema: JsonObject) {
  compiled += 1;
  if (compiled % COMPILED_BY_ONE === 0) compiler = newCompiler();
  return compiler.compile(schema);
}

const DRAFT = /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/;

/** What writes schemas begins them with the draft's name, which says what is meant anyway. */
function withoutDraft(schema: JsonObject): JsonObject {
  const { $schema: draft, ...rest } = schema;
  return typeof draft === "string" && DRAFT.test(draft) ? rest : schema;
}

/** SACP-50: a stage's schema for `data` made ready, or what is wrong with it and where. */
export function compileOutputSchema(
  said: JsonObject,
):
  | { readonly kind: "compiled"; readonly check: DataCheck }
  | { readonly kind: "faulty"; readonly faults: readonly SchemaFault[] } {
  const schema = withoutDraft(said);
  const { length } = JSON.stringify(schema);
  if (length > LARGEST_SCHEMA) {
    return faulty([{ path: [], message: `has ${length} characters; at most ${LARGEST_SCHEMA} are allowed` }]);
  }
  const costly = [...refusedIn(schema, [])];
  if (costly.length > 0) return faulty(costly);
  if (!judge.validateSchema(schema)) return faulty(faultsOf(judge.errors ?? []));
  try {
    const validate = compile(schema);
    const check: DataCheck = (data) => (validate(data) ? null : saidOf(validate.errors ?? []));
    return { kind: "compiled", check };
  } catch (error) {
    return faulty([{ path: [], message: error instanceof Error ? error.message : String(error) }]);
  }
}

const faulty = (faults: readonly SchemaFault[]) => ({ kind: "faulty", faults }) as const;

/** In `properties` and the like a name is a name, whatever it looks like. */
const named: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "dependentSchemas"]);
const literal: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

function* refusedIn(
  value: unknown,
  path: readonly (string | number)[],
  names = false,
): Generator<SchemaFault> {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const why = names || Array.isArray(value) || !Object.hasOwn(refused, key) ? undefined : refused[key];
    if (why !== undefined) yield { path: at, message: `"${key}" is not offered: ${why}` };
    else if (names || !literal.has(key)) yield* refusedIn(inner, at, !names && named.has(key));
  }
}

/** The first of each place: the others say in other ways what else could have stood there. */
const faultsOf = (errors: readonly ErrorObject[]): SchemaFault[] =>
  [...new Map(errors.toReversed().map((error) => [error.instancePath, error])).values()]
    .toReversed()
    .slice(0, MOST_FAULTS)
    .map(faultOf);

const faultOf = ({ instancePath, message = "is not allowed" }: ErrorObject): SchemaFault => ({
  path: instancePath
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~")),
  message: `is no JSON Schema: ${message}`,
});

const saidOf = (errors: readonly ErrorObject[]): string =>
  errors
    .slice(0, MOST_FAULTS)
    .map(({ instancePath, message = "is not allowed", params }) => {
      const allowed = "allowedValues" in params ? `: ${JSON.stringify(params["allowedValues"])}` : "";
      return `data${instancePath} ${message}${allowed}`;
    })
    .join("; ");
