import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";

/** The messages of google/protobuf/struct.proto, which the JSON mapping shows as the JSON they hold. */
export const STRUCT = "google.protobuf.Struct";
export const VALUE = "google.protobuf.Value";
export const LIST_VALUE = "google.protobuf.ListValue";

/** What an enum allows, by the names its JSON mapping writes. */
export const allowedNames = ({ values }: DescEnum): string => values.map(({ name }) => name).join(", ");

export const isStringField = (field: DescField): boolean => field.scalar === ScalarType.STRING;

/** Derives something from a descriptor once. */
export function perDescriptor<Derived>(
  derive: (desc: DescMessage) => Derived,
): (desc: DescMessage) => Derived {
  const known = new WeakMap<DescMessage, Derived>();
  return (desc) => {
    let derived = known.get(desc);
    if (derived === undefined) known.set(desc, (derived = derive(desc)));
    return derived;
  };
}
