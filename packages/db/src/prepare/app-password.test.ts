import { expect, test } from "vitest";
import { appUrlFor } from "./app-login.ts";
import { deriveAppPassword, scramVerifier } from "./app-password.ts";

test("the verifier is what RFC 7677's example makes of its password and salt", () => {
  const salt = Buffer.from("W22ZaJ0SNY7soEsUEjb6gQ==", "base64");
  expect(scramVerifier("pencil", salt)).toBe(
    "SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=",
  );
});

test("every node derives the same password from the same login's, and another from another", async () => {
  const [first, again, other] = await Promise.all(["one", "one", "two"].map(deriveAppPassword));
  expect(again).toBe(first);
  expect(other).not.toBe(first);
  expect(first).toMatch(/^[\w-]{43}$/);
});

test("an address without a password is refused: nothing secret could be derived from it", async () => {
  await expect(appUrlFor("postgres://login@host/name")).rejects.toMatchObject({ fault: "MALFORMED_URL" });
});
