import { expect, test } from "vitest";
import { keyActorId, keyLabelOf } from "./key-actor.ts";

test("a key's label is read from how it stands on record, whatever stands in it; nobody else is taken for a key", () => {
  const keyId = "0190b3a8-8f0f-7bbb-8888-0123456789ab";
  for (const label of ["nightly", "ci/deploy", "key/of a key"])
    expect(keyLabelOf(keyActorId({ label, keyId }))).toBe(label);
  for (const id of [keyId, "orchestrator", "", "key/nightly", `key//${keyId}`])
    expect(keyLabelOf(id)).toBeUndefined();
});
