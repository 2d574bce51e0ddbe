import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

/** One record whose content is given as bytes. */
export const record = (field: number, content: Uint8Array | string): Uint8Array =>
  new BinaryWriter()
    .tag(field, WireType.LengthDelimited)
    .bytes(typeof content === "string" ? new TextEncoder().encode(content) : content)
    .finish();

export const varint = (field: number, value: number): Uint8Array =>
  new BinaryWriter().tag(field, WireType.Varint).int32(value).finish();

export const double = (field: number, value: number): Uint8Array =>
  new BinaryWriter().tag(field, WireType.Bit64).double(value).finish();

export const join = (...parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

/** `prefix` around itself, many times: the front of each level is written once the length of the inside is known. */
export function nest(levels: number, fronts: readonly ((length: number) => Uint8Array)[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let level = 0; level < levels; level++) {
    for (const front of fronts) {
      const piece = front(length);
      pieces.push(piece);
      length += piece.length;
    }
  }
  return Buffer.concat(pieces.toReversed());
}

/** The tag and length of a record, without its content. */
export const opening =
  (field: number, before: Uint8Array = new Uint8Array()) =>
  (length: number): Uint8Array =>
    join(before, new BinaryWriter().tag(field, WireType.LengthDelimited).uint32(length).finish());
