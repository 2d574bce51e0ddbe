import fc from "fast-check";
import { expect, test } from "vitest";
import { withReadableMessage } from "./readable-message.ts";

const sent = (text: string): string =>
  withReadableMessage(new Headers({ "grpc-message": encodeURIComponent(text), other: "%3A" })).get(
    "grpc-message",
  ) ?? "";

test("what stands in ASCII stands as it is, and nothing else does", () => {
  expect(sent('a: b; c, 100% "ü"\n')).toBe('a: b; c, 100%25 "%C3%BC"%0A');
  const printable = String.fromCodePoint(...Array.from({ length: 0x7f - 0x21 }, (_, at) => 0x21 + at));
  expect(sent(printable)).toBe(printable.replace("%", "%25"));
});

test("whoever takes all of it back has the message, whatever it is", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(text.isWellFormed());
      // A header's blanks at its ends belong to nobody.
      expect(decodeURIComponent(sent(`<${text}>`))).toBe(`<${text}>`);
    }),
  );
});

test("what says nothing of a message is left alone", () => {
  const other = new Headers({ "grpc-status": "0" });
  expect(withReadableMessage(other)).toBe(other);
});
