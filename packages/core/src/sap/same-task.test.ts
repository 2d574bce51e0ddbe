import { expect, test } from "vitest";
import { isSameTask } from "./same-task.ts";

const again = { maskedDigest: () => "m", sentDigest: "s", sentFingerprint: "f" };

test.each([
  ["nothing was masked then, nor is now", { digest: "s", masked: false, sentFingerprint: null }, true],
  [
    "nothing was masked then, and it was another",
    { digest: "o", masked: false, sentFingerprint: null },
    false,
  ],
  [
    "nothing was masked then, and something would be now",
    { digest: "m", masked: false, sentFingerprint: null },
    false,
  ],
  ["masked, and the same was sent", { digest: "m", masked: true, sentFingerprint: "f" }, true],
  ["masked alike, and another was sent", { digest: "m", masked: true, sentFingerprint: "o" }, false],
  [
    "masked otherwise by now, and the same was sent",
    { digest: "o", masked: true, sentFingerprint: "f" },
    true,
  ],
  [
    "kept before there were fingerprints, masked alike",
    { digest: "m", masked: true, sentFingerprint: null },
    true,
  ],
  [
    "kept before there were fingerprints, masked otherwise",
    { digest: "o", masked: true, sentFingerprint: null },
    false,
  ],
])("SAP-13 a task is what was sent: %s", (_when, kept, same) => {
  expect(isSameTask(kept, again)).toBe(same);
});
