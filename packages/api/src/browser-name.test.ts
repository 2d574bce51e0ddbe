import fc from "fast-check";
import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

const webKit = "AppleWebKit/537.36 (KHTML, like Gecko)";
test.each([
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} Chrome/141.0.0.0 Safari/537.36`, "Chrome on Windows"],
  [`Mozilla/5.0 (Windows NT 10.0) ${webKit} Chrome/141.0 Safari/537.36 Edg/141.0`, "Edge on Windows"],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    `Mozilla/5.0 (Linux; Android 15; Pixel 9) ${webKit} Chrome/141.0 Mobile Safari/537.36`,
    "Chrome on Android",
  ],
  ["curl/8.14.1", "curl"],
  ["node", "node"],
  ["Mozilla/5.0 (X11; Linux x86_64)", "A browser on Linux"],
  ["Mozilla/5.0", null],
  ["", null],
  [null, null],
])("%j is %j", (userAgent, name) => {
  expect(browserName(userAgent)).toBe(name);
});

test("property: whatever it is, the name is short", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (userAgent) => (browserName(userAgent) ?? "").length <= 41),
  );
});
