import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";

/** The messages of google/protobuf/struct.proto, which the JSON mapping shows as the JSON they hold. */
export const STRUCT = "google.protobuf.Struct";
export const VALUE = "google.protobuf.Value";
export const LIST_VALUE = "google.protobuf.ListValue";

export const isStringField = (field: DescField): boolean => field.scalar === ScalarType.STRING;

/** Derives something from a descriptor once. */
export function perDescriptor<Desc extends DescEnum | DescMessage, Derived>(
  derive: (desc: Desc) => Derived,
): (desc: Desc) => Derived {
  const known = new WeakMap<Desc, Derived>();
  return (desc) => {
    let derived = known.get(desc);
    if (derived === undefined) known.set(desc, (derived = derive(desc)));
    return derived;
  };
}

/** What an enum allows, by the names its JSON mapping writes; to say nothing, one leaves the field out. */
export const allowedNames = perDescriptor(({ values }: DescEnum) =>
  values
    .filter(({ name, number }) => number !== 0 || !name.endsWith("_UNSPECIFIED"))
    .map(({ name }) => name)
    .join(", "),
);
