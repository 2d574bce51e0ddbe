import { createHmac, hkdfSync } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nonceOf, openTextOf, sealFor } from "./seal.ts";

const seal = sealFor("postgres://app:a-password@127.0.0.1:5432/signalbox");

test("a fingerprint is the HMAC-SHA-256 that is on file since the first events were kept", () => {
  const key = Buffer.from(hkdfSync("sha256", "a-password", "signalbox", "fingerprints", 32));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
      const expected = createHmac("sha256", key).update(text).digest("hex");
      expect(Buffer.from(seal.fingerprint(text)).toString("hex")).toBe(expected);
    }),
  );
});

test("what is sealed for one place opens there, under the same password, and nowhere else", () => {
  const sealed = seal.close("half of a secret", "default/p-1/0");
  expect(seal.open(sealed, "default/p-1/0")).toBe("half of a secret");
  expect(seal.open(sealed, "default/p-1/1")).toBeUndefined();
  expect(
    sealFor("postgres://app:another@127.0.0.1:5432/signalbox").open(sealed, "default/p-1/0"),
  ).toBeUndefined();
});

test("what lies open is told from all others like what is sealed, and what is sealed never lies open", () => {
  const open = seal.leaveOpen("nothing of anybody");
  expect(openTextOf(open)).toBe("nothing of anybody");
  expect(seal.open(open, "default/p-1/0")).toBeUndefined();
  expect(Buffer.from(open).toString("latin1")).toContain("nothing of anybody");
  expect(nonceOf(seal.leaveOpen("nothing of anybody"))).not.toEqual(nonceOf(open));
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 6 }), (text) => {
      const sealed = Buffer.from(seal.close(text, "default/p-1/0"));
      expect(openTextOf(sealed)).toBeUndefined();
      expect(sealed.includes(text)).toBe(false);
      expect(seal.open(sealed, "default/p-1/0")).toBe(text);
    }),
  );
});
