import { createHash } from "node:crypto";
import { SignalboxError } from "@signalbox/contracts";
import { isRequestKey, type Once } from "@signalbox/core";

type Sent = {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Uint8Array | undefined;
};

/** What makes it the same request: where it goes, what it is, and on what it depends; not who carries it. */
const hashed = ["content-type", "if-match"];

/** D22: the name under which a POST is carried out once, and a hash of all that it says. */
export function onceOf({ method, url, headers, body }: Sent): Once | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined || method !== "POST") return undefined;
  if (typeof key !== "string" || !isRequestKey(key)) {
    const message = "is 1 to 255 visible ASCII characters, given once";
    throw new SignalboxError("VALIDATION_FAILED", "The Idempotency-Key header cannot be used.", {
      violations: [{ field: "Idempotency-Key", rule: "request_key", message }],
    });
  }
  const hash = createHash("sha256").update(JSON.stringify([url, ...hashed.map((name) => headers[name])]));
  return { key, digest: hash.update(body ?? "").digest() };
}
