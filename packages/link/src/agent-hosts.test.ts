import type { LookupFunction } from "node:net";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { agentHosts, readAgentHost } from "./agent-hosts.ts";

const allowed = (hosts: readonly string[], url: string) =>
  agentHosts(hosts).refusal(new URL(url)) === undefined;

describe("where instances may be called", () => {
  test("nowhere, unless it is listed", () => {
    for (const url of ["https://agents.example.org", "http://127.0.0.1", "http://[::1]:9000"])
      expect(allowed([], url)).toBe(false);
  });

  test.each([
    ["agents.example.org", "https://agents.example.org/x", true],
    ["agents.example.org", "http://agents.example.org./x", true],
    ["agents.example.org", "https://agents.example.org:8443", false],
    ["agents.example.org:8443", "https://agents.example.org:8443", true],
    ["agents.example.org:8443", "https://agents.example.org", false],
    ["agents.example.org:*", "http://agents.example.org:1", true],
    ["agents.example.org", "https://evil.agents.example.org", false],
    ["*.example.org", "https://a.b.example.org", true],
    ["*.example.org", "https://example.org", false],
    ["*.example.org", "https://evilexample.org", false],
    ["127.0.0.1:9000", "http://127.0.0.1:9000", true],
    ["127.0.0.1:9000", "http://127.0.0.1:9001", false],
    // As a URL reads them: other ways to write the same address.
    ["127.0.0.1:9000", "http://2130706433:9000", true],
    ["10.0.0.0/8:*", "http://10.1.2.3:8080", true],
    ["10.0.0.0/8:*", "http://11.1.2.3:8080", false],
    ["[::1]:9000", "http://[::1]:9000", true],
    ["[fd00::/8]:*", "http://[fd12::1]:80", true],
    ["127.0.0.1:9000", "http://[::ffff:127.0.0.1]:9000", true],
    ["10.0.0.0/8:*", "http://[::ffff:11.0.0.1]:80", false],
  ])("%s lets %s through: %s", (entry, url, expected) => {
    expect(allowed([entry], url)).toBe(expected);
  });

  test.each([
    "",
    "*",
    "a b",
    "https://x",
    "x:0",
    "x:65536",
    "10.0.0.0/33",
    "x/8",
    "[x]",
    "-x",
    "::1",
    "*.*.x",
    "1.2.3.4/",
  ])("%j is no entry", (text) => {
    expect(readAgentHost(text)).toBeUndefined();
  });
});

const resolved = (hosts: readonly string[], name: string) => {
  const lookup: LookupFunction = agentHosts(hosts).lookup;
  return promisify((done: (error: Error | null, found: unknown) => void) =>
    lookup(name, { all: true }, (error, found) => done(error, found)),
  )();
};

describe("what a name resolves to", () => {
  test("an address inside our network is not connected to for its name's sake", async () => {
    // A name that is listed, and whose owner lets it point here: the same look-up that a connection makes.
    await expect(resolved(["127.0.0.1.nip.example:*"], "127.0.0.1")).rejects.toMatchObject({
      code: "EACCES",
    });
    await expect(resolved(["agents.example.org"], "169.254.169.254")).rejects.toMatchObject({
      code: "EACCES",
    });
    await expect(resolved(["agents.example.org"], "::ffff:10.0.0.1")).rejects.toMatchObject({
      code: "EACCES",
    });
    await expect(resolved(["agents.example.org"], "64:ff9b::7f00:1")).rejects.toMatchObject({
      code: "EACCES",
    });
  });

  test("one that is listed is, and so is any that is public", async () => {
    expect(await resolved(["10.0.0.0/8:*"], "10.9.8.7")).toEqual([{ address: "10.9.8.7", family: 4 }]);
    expect(await resolved([], "1.1.1.1")).toEqual([{ address: "1.1.1.1", family: 4 }]);
    expect(await resolved([], "2606:4700::1111")).toEqual([{ address: "2606:4700::1111", family: 6 }]);
  });

  test("localhost is this machine, where it is listed", async () => {
    const found = await resolved(["localhost:*"], "localhost");
    expect(JSON.stringify(found)).toMatch(/127\.0\.0\.1|::1/);
  });
});
