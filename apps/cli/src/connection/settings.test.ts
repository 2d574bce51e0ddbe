import { expect, test } from "vitest";
import { readEnvironment } from "../environment.ts";
import { readConnection } from "./settings.ts";

const warned = async (url: string) => {
  const environment = readEnvironment({ SIGNALBOX_URL: url, SIGNALBOX_KEY: "k" });
  return (await readConnection({ environment, folder: "/" }, {})).warning !== undefined;
};

test("CLI-5: a key that goes over the network in the clear is warned of", async () => {
  expect(await warned("http://box.example:7400")).toBe(true);
  expect(await warned("https://box.example")).toBe(false);
  expect(await warned("http://localhost:7400")).toBe(false);
  expect(await warned("http://[::1]:7400")).toBe(false);
});
