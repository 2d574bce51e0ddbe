import {
  create,
  type DescField,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import fc from "fast-check";

const nanos = fc.oneof(
  fc.constant(0),
  fc.nat(999).map((ms) => ms * 1_000_000),
  fc.nat(999_999_999),
);
const anyWellKnown: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  "google.protobuf.Timestamp": fc.record({
    seconds: fc.bigInt({ min: -62_135_596_800n, max: 253_402_300_799n }),
    nanos,
  }),
  "google.protobuf.Duration": fc
    .record({ seconds: fc.bigInt({ min: 0n, max: 315_576_000_000n }), nanos, negative: fc.boolean() })
    .map(({ seconds, nanos: part, negative }) =>
      negative ? { seconds: -seconds, nanos: -part } : { seconds, nanos: part },
    ),
  "google.protobuf.Struct": fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
};

/** Any init of a message, some fields left out; made from the descriptor, so that no field is forgotten. */
function anyInit(desc: DescMessage): fc.Arbitrary<unknown> {
  return (
    anyWellKnown[desc.typeName] ??
    fc.record(Object.fromEntries(desc.fields.map((field) => [field.localName, anyField(field)])), {
      requiredKeys: [],
    })
  );
}

const anyField = (field: DescField): fc.Arbitrary<unknown> =>
  field.fieldKind === "list" ? fc.array(anyElement(field), { maxLength: 3 }) : anyElement(field);

function anyElement(field: DescField): fc.Arbitrary<unknown> {
  if (field.message) return anyInit(field.message);
  if (field.enum) return fc.constantFrom(...field.enum.values.map(({ number }) => number));
  const any = field.scalar && anyScalar[field.scalar];
  if (any === undefined) throw new Error(`${field.toString()} is of a kind that no test has made before`);
  return any;
}

const anyScalar: Readonly<Partial<Record<ScalarType, fc.Arbitrary<unknown>>>> = {
  [ScalarType.STRING]: fc.string({ unit: "grapheme" }),
  [ScalarType.BOOL]: fc.boolean(),
  [ScalarType.INT32]: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
};

export const anyInitOf = <Desc extends DescMessage>(desc: Desc): fc.Arbitrary<MessageInitShape<Desc>> =>
  anyInit(desc) as fc.Arbitrary<MessageInitShape<Desc>>;

export const anyMessageOf = <Desc extends DescMessage>(desc: Desc): fc.Arbitrary<MessageShape<Desc>> =>
  anyInitOf(desc).map((init) => create(desc, init));
