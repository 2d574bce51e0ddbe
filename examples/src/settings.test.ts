import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";

test("what is no option is refused by its name, beside those that are", () => {
  expect(() => readSettings(["--soak", "5"], {})).toThrow(/Unknown option '--soak'[^]*--soak-seconds {2}/);
  expect(() => readSettings(["--folder"], {})).toThrow(
    /--folder <value>[^]*argument missing[^]*--folder {8}/,
  );
  expect(() => readSettings(["now"], {})).toThrow(/Unexpected argument 'now'[^]*--url {11}/);
});

test("a number out of bounds is refused with the bounds", () => {
  expect(() => readSettings(["--soak-seconds", "0"], {})).toThrow(
    'read "0"; a number from 1 to 3600 is allowed',
  );
  expect(readSettings(["--soak-seconds", "5"], {})).toMatchObject({ soakSeconds: 5, url: undefined });
});
