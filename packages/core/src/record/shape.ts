import type { JsonObject } from "@bufbuild/protobuf";
import { type Codec, type FillingCodec, objectOf } from "./codec.ts";
import { faultAt, RecordFault } from "./record-fault.ts";

/** A field, and what it is when nothing is said of it: `undefined` where it is always said. */
type Field<T> = { readonly codec: Codec<T>; readonly unsaid: T | undefined };
type Fields<T> = { readonly [K in keyof T]-?: Field<T[K]> };

export const always = <T>(codec: Codec<T>): Field<T> => ({ codec, unsaid: undefined });

/** REC-2: not written while it is what it mostly is, so that a stage that waits costs a few bytes. */
export const unless = <T>(unsaid: T, codec: Codec<T>): Field<T> => ({ codec, unsaid });

export type Shape<T> = FillingCodec<T> & {
  /** Only the fields that are there, with all that they say: what a change sets. */
  readonly part: FillingCodec<Partial<T>>;
};

type Member<T> = {
  readonly name: string;
  readonly put: (value: Partial<T>, json: JsonObject, whole: boolean) => void;
  readonly take: (json: unknown, into: Partial<T>) => void;
  readonly takeUnsaid: (into: Partial<T>) => void;
};

function memberOf<T, K extends keyof T & string>(name: K, { codec, unsaid }: Field<T[K]>): Member<T> {
  const emptyList = Array.isArray(unsaid);
  const { write, read } = codec;
  return {
    name,
    put: (value, json, whole) => {
      const said: T[K] | undefined = value[name];
      if (said === undefined) return;
      if (whole && (said === unsaid || (emptyList && Array.isArray(said) && said.length === 0))) return;
      json[name] = write(said);
    },
    take: (json, into) => {
      try {
        into[name] = read(json);
      } catch (error) {
        throw faultAt(name, error);
      }
    },
    takeUnsaid: (into) => {
      if (unsaid === undefined) throw new RecordFault("is missing", name);
      into[name] = unsaid;
    },
  };
}

/** An object with these fields and no others. A field that is not known is refused: passing it over would lose it. */
export function shape<T extends object>(fields: Fields<T>): Shape<T> {
  const members: Member<T>[] = [];
  for (const name in fields) members.push(memberOf<T, typeof name>(name, fields[name]));
  const byName = new Map(members.map((member) => [member.name, member]));
  const filling = (whole: boolean) => (value: Partial<T>, json: JsonObject) => {
    for (const member of members) member.put(value, json, whole);
    return json;
  };
  const fill = filling(true);
  const fillPart = filling(false);
  const readPart = (json: unknown): Partial<T> => {
    const into: Partial<T> = {};
    for (const [name, value] of Object.entries(objectOf(json))) {
      const member = byName.get(name);
      if (member === undefined) throw new RecordFault("is not known", name);
      member.take(value, into);
    }
    return into;
  };
  const isWhole = (into: Partial<T>): into is T => members.every(({ name }) => name in into);
  return {
    fill,
    write: (value) => fill(value, {}),
    read: (json) => {
      const into = readPart(json);
      for (const member of members) if (!(member.name in into)) member.takeUnsaid(into);
      if (!isWhole(into)) throw new RecordFault("is not whole");
      return into;
    },
    part: { fill: fillPart, write: (value) => fillPart(value, {}), read: readPart },
  };
}
