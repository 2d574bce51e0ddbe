import { describe, expect, test } from "vitest";
import { z } from "zod";
import { violationsFromZod } from "../src/parse/zod-violations.ts";

/** Field → values it refuses. `a.b` is required, `a.b?` may be left out, `list[].c` is a member of list's elements. */
export type FieldTable = Readonly<Record<string, readonly unknown[]>>;

type Json = { [name: string]: unknown };

/**
 * Breaks every field of a schema, one at a time. The table has to name exactly the schema's fields and say rightly
 * which are required, so that neither a new field nor a lost one goes untested.
 */
export function testEachField(schema: z.ZodType, example: Json, table: FieldTable): void {
  test("the table names every field", () => {
    expect(Object.keys(table).toSorted()).toEqual(fieldsOf(schema).toSorted());
  });

  test("the example sets every field and is accepted unchanged", () => {
    expect(schema.parse(example)).toEqual(example);
    expect(Object.keys(table).filter((field) => !Object.hasOwn(...placeOf(example, field)))).toEqual([]);
  });

  describe.each(Object.entries(table))("%s", (field, refused) => {
    const optional = field.endsWith("?");
    const brokenBy = (change: (holder: Json, name: string) => void) => {
      const value = structuredClone(example);
      change(...placeOf(value, field));
      return schema.safeParse(value);
    };

    test(`${optional ? "may" : "may not"} be left out`, () => {
      const { error } = brokenBy((holder, name) => delete holder[name]);
      const fields = error === undefined ? [] : violationsFromZod(error).map((violation) => violation.field);
      expect(fields).toEqual(optional ? [] : [pathOf(field)]);
    });

    test.each(refused.map((value) => [value]))("refuses %j", (value) => {
      const { error } = brokenBy((holder, name) => (holder[name] = value));
      const [violation] = violationsFromZod(error ?? new z.ZodError([]));
      expect(violation?.field.slice(0, pathOf(field).length)).toBe(pathOf(field));
      expect(violation?.message).not.toBe("Invalid input");
    });

    test("its object keeps fields that the schema does not know", () => {
      const result = brokenBy((holder) => (holder.added_later = { by: ["a newer version"] }));
      expect(result.success && placeOf(result.data, field)[0].added_later).toEqual({
        by: ["a newer version"],
      });
    });
  });
}

/** `list[].c?` as a violation names it: `list[0].c`. */
const pathOf = (field: string): string => field.replaceAll("[]", "[0]").replace("?", "");

/** The object that holds a field, and the field's name in it. */
function placeOf(root: unknown, field: string): [Json, string] {
  const steps = pathOf(field).split(/[.[\]]+/);
  const name = steps.pop() ?? "";
  let value = root;
  for (const step of steps) value = (value as Json)[step];
  return [value as Json, name];
}

function fieldsOf(schema: z.core.$ZodType, prefix = ""): string[] {
  if (schema instanceof z.ZodOptional) return fieldsOf(schema.unwrap(), prefix);
  if (schema instanceof z.ZodArray) return fieldsOf(schema.element, `${prefix}[]`);
  if (!(schema instanceof z.ZodObject)) return [];
  const fields: string[] = [];
  for (const [name, member] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const path = prefix === "" ? name : `${prefix}.${name}`;
    fields.push(member instanceof z.ZodOptional ? `${path}?` : path, ...fieldsOf(member, path));
  }
  return fields;
}
