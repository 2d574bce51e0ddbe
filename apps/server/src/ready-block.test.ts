import { expect, test } from "vitest";
import { readyBlock } from "./ready-block.ts";

const started = {
  version: "1.0.0",
  url: new URL("http://127.0.0.1:7400"),
  port: 7400,
  signInUrl: new URL("http://127.0.0.1:7400/sign-in#token"),
  tenantSignInUrls: [],
  data: ".signalbox",
  stop: async () => undefined,
};

test.each([
  ["npm start, before anybody has an account", true, started.signInUrl, true],
  ["npm start, once somebody has", true, undefined, false],
  ["any other start", false, started.signInUrl, false],
])("%s says of the demonstration: %s", (_, byNpmStart, signInUrl, said) => {
  const block = readyBlock({ ...started, signInUrl }, { role: "all", byNpmStart });
  expect(block.includes("npm run demo")).toBe(said);
});

test("a process that only runs loops has no pages to open", () => {
  const block = readyBlock({ ...started, signInUrl: undefined }, { role: "engine", byNpmStart: false });
  expect(block).toMatch(/Open +http:\/\/127.0.0.1:7400\/readyz\n/);
  expect(block).not.toMatch(/Sign in/);
});

test("each tenant beside the first has a line with its own link, below the first's", () => {
  const url = new URL("http://127.0.0.1:7400/sign-in?tenant=north#other");
  const block = readyBlock(
    { ...started, tenantSignInUrls: [{ tenantId: "north", url }] },
    { role: "all", byNpmStart: false },
  );
  expect(block).toMatch(/Sign in +\S+\/sign-in#token .*\n +\S+\/sign-in\?tenant=north#other +\(once/);
});
