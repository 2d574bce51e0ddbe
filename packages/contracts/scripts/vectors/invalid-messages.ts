import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { isReflectMessage, type ReflectMessage } from "@bufbuild/protobuf/reflect";
import { breakersOf } from "./rule-breakers.ts";
import { minimalMessage } from "./sample-message.ts";

/** A message with a fault, and where and how the fault was made. */
export type InvalidMessage = { readonly name: string; readonly message: ReflectMessage };

/**
 * A message for each rule of `schema` itself, and for each rule within it that `covered` does not hold yet. Each
 * breaks that one rule. What is covered is added to `covered`. Where all within is covered, one of it is broken again.
 */
export function invalidMessages(schema: DescMessage, covered: Set<DescMessage>): InvalidMessage[] {
  const within = nestedPaths(schema);
  const fresh = within.filter(({ schema: nested }) => !covered.has(nested));
  fresh.forEach(({ schema: nested }) => covered.add(nested));
  covered.add(schema);
  const chosen = [{ schema, path: [] }, ...fresh].flatMap(breakEach);
  return chosen.length > 0 ? chosen : within.flatMap(breakEach).slice(0, 1);

  function breakEach({ schema: nested, path }: NestedPath): InvalidMessage[] {
    return breakersOf(nested).map(({ name, apply }) => {
      const message = minimalMessage(schema);
      apply(descend(message, path));
      return { name: [...path.map((field) => field.name), name].join("-").replaceAll("_", "-"), message };
    });
  }
}

type NestedPath = { readonly schema: DescMessage; readonly path: readonly DescField[] };

/** A shortest way to every message within another. */
function nestedPaths(schema: DescMessage): NestedPath[] {
  const found: NestedPath[] = [{ schema, path: [] }];
  const seen = new Set([schema]);
  for (const { schema: outer, path } of found) {
    for (const field of outer.fields) {
      const nested = field.message;
      if (nested === undefined || seen.has(nested) || nested.file.proto.package !== schema.file.proto.package)
        continue;
      seen.add(nested);
      found.push({ schema: nested, path: [...path, field] });
    }
  }
  return found.slice(1);
}

/** The message at the end of a path, made on the way where it is not there. */
function descend(message: ReflectMessage, path: readonly DescField[]): ReflectMessage {
  return path.reduce((outer, field) => {
    if (field.message === undefined) throw new Error(`${field.toString()} holds no message`);
    if (field.fieldKind === "list") {
      const list = outer.get(field);
      if (list.size === 0) list.add(minimalMessage(field.message));
      const first = list.get(0);
      if (isReflectMessage(first)) return first;
    }
    if (!outer.isSet(field)) outer.set(field, minimalMessage(field.message));
    const nested = outer.get(field);
    if (isReflectMessage(nested)) return nested;
    throw new Error(`${field.toString()} holds no message`);
  }, message);
}
