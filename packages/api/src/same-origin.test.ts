import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { crossOriginReason } from "./same-origin.ts";

const publicUrl = new URL("https://box.example.org");

describe("same origin", () => {
  test.each([
    ["the browser says so", { "sec-fetch-site": "same-origin", origin: "http://localhost:5173" }],
    ["the origin is the public one", { origin: "https://box.example.org", host: "10.0.0.7:7400" }],
    ["the origin is the host that was asked", { origin: "http://127.0.0.1:7400", host: "127.0.0.1:7400" }],
    ["a proxy ended TLS", { origin: "https://inner.example.org", host: "inner.example.org" }],
  ])("passes when %s", (_, headers) => {
    expect(crossOriginReason(headers, publicUrl)).toBeUndefined();
  });

  test.each([
    ["another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
    ["a sibling host of the same site", { "sec-fetch-site": "same-site" }],
    ["another port", { origin: "http://127.0.0.1:9999", host: "127.0.0.1:7400" }],
    ["another scheme of the public host", { origin: "http://box.example.org", host: "10.0.0.7" }],
    [
      "a name that begins like ours",
      { origin: "https://box.example.org.evil.example", host: "box.example.org" },
    ],
    ["an opaque origin", { origin: "null", host: "null" }],
    ["nobody", { host: "127.0.0.1:7400" }],
    [
      "a browser that contradicts the origin",
      { "sec-fetch-site": "cross-site", origin: "https://box.example.org" },
    ],
  ])("refuses %s, with a reason", (_, headers) => {
    expect(crossOriginReason(headers, publicUrl)).toMatch(/sec-fetch-site|origin/);
  });

  test("never throws and never passes an origin of another host", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl()), fc.string(), (origin, host) => {
        const passed = crossOriginReason({ origin, host }, undefined) === undefined;
        expect(passed && URL.parse(origin)?.host !== host).toBe(false);
      }),
    );
  });
});
