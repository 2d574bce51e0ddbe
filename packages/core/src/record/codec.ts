import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { faultAt, RecordFault, shown } from "./record-fault.ts";

/** Both ways between a value and its JSON. Reading throws a RecordFault; writing never throws. */
export type Codec<T> = {
  readonly write: (value: T) => JsonValue;
  readonly read: (json: unknown) => T;
};

const fault = (wanted: string, json: unknown) => new RecordFault(`wants ${wanted}, has ${shown(json)}`);

export const text: Codec<string> = {
  write: (value) => value,
  read: (json) => {
    if (typeof json !== "string") throw fault("a text", json);
    return json;
  },
};

export const flag: Codec<boolean> = {
  write: (value) => value,
  read: (json) => {
    if (typeof json !== "boolean") throw fault("true or false", json);
    return json;
  },
};

/** Times, durations and factors: JSON keeps a double as it is. */
export const quantity: Codec<number> = {
  write: (value) => value,
  read: (json) => {
    if (typeof json !== "number") throw fault("a number", json);
    return json;
  },
};

export const count: Codec<number> = {
  write: (value) => value,
  read: (json) => {
    if (typeof json !== "number" || !Number.isSafeInteger(json) || json < 0) {
      throw fault("a whole number of at least 0", json);
    }
    return json;
  },
};

/** One of some words; the table is checked to name every one of them. */
export function word<T extends string>(words: Readonly<Record<T, true>>): Codec<T> {
  const isWord = (json: unknown): json is T => typeof json === "string" && Object.hasOwn(words, json);
  return {
    write: (value) => value,
    read: (json) => {
      if (!isWord(json)) throw fault(`one of ${Object.keys(words).join(", ")}`, json);
      return json;
    },
  };
}

/** REC-3: an enum by its name without the prefix, which the contract never gives to another number (D1). */
export function enumName<T extends number>(values: Readonly<Record<string, NoInfer<T>>>): Codec<T> {
  const names: string[] = [];
  for (const [name, number] of Object.entries(values)) names[number] = name;
  return {
    write: (value) => names[value] ?? value,
    read: (json) => {
      const value = typeof json === "string" && Object.hasOwn(values, json) ? values[json] : undefined;
      if (value === undefined) throw fault(`one of ${Object.keys(values).join(", ")}`, json);
      return value;
    },
  };
}

export const nullable = <T>(codec: Codec<T>): Codec<T | null> => ({
  write: (value) => (value === null ? null : codec.write(value)),
  read: (json) => (json === null ? null : codec.read(json)),
});

export const listOf = <T>({ write, read }: Codec<T>): Codec<readonly T[]> => ({
  write: (values) => {
    const json: JsonValue[] = [];
    for (const value of values) json.push(write(value));
    return json;
  },
  read: (json) => {
    if (!Array.isArray(json)) throw fault("a list", json);
    return json.map((item: unknown, index) => {
      try {
        return read(item);
      } catch (error) {
        throw faultAt(`[${index}]`, error);
      }
    });
  },
});

export const isObject = (json: unknown): json is { readonly [name: string]: unknown } =>
  typeof json === "object" && json !== null && !Array.isArray(json);

export function objectOf(json: unknown): { readonly [name: string]: unknown } {
  if (!isObject(json)) throw fault("an object", json);
  return json;
}

export type ObjectCodec<T> = {
  readonly write: (value: T) => JsonObject;
  readonly read: (json: unknown) => T;
};

/** One that writes into an object that has something already, which saves copying it. */
export type FillingCodec<T> = ObjectCodec<T> & {
  readonly fill: (value: T, json: JsonObject) => JsonObject;
};
