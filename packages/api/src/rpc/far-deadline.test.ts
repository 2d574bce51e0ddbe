import { expect, test } from "vitest";
import { withoutFarDeadlines } from "./far-deadline.ts";

test.each([
  ["grpc-timeout", "99999999H", "1000000S"],
  ["grpc-timeout", "35792M", "1000000S"],
  ["grpc-timeout", "2147483S", "2147483S"],
  ["grpc-timeout", "99999999m", "99999999m"],
  ["grpc-timeout", "-1S", "-1S"],
  ["connect-timeout-ms", "9999999999", "1000000000"],
  ["connect-timeout-ms", "2147483647", "2147483647"],
  ["connect-timeout-ms", "soon", "soon"],
])("%s: %s is read as %s: what no timer can keep must not fire at once", (name, sent, read) => {
  expect(withoutFarDeadlines(new Headers({ [name]: sent })).get(name)).toBe(read);
});
