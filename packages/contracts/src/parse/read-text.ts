import { SignalboxError } from "../errors/signalbox-error.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Text from outside: within its size, and Unicode. */
export function readText(input: Uint8Array | string, maxBytes: number): string {
  checkSize(input.length, maxBytes);
  if (typeof input === "string") {
    if (input.isWellFormed()) return input;
    throw notText("a surrogate stands alone");
  }
  try {
    return utf8.decode(input);
  } catch {
    throw notText("the bytes are not UTF-8");
  }
}

export function checkSize(length: number, maxBytes: number): void {
  if (length <= maxBytes) return;
  const message = `has ${length} bytes; at most ${maxBytes} are allowed`;
  throw new SignalboxError("PAYLOAD_TOO_LARGE", `The body ${message}`, {
    violations: [{ field: "", rule: "limit.bytes", message }],
  });
}

function notText(message: string): SignalboxError {
  return new SignalboxError("MALFORMED_BODY", `The body is not Unicode text: ${message}`, {
    violations: [{ field: "", rule: "text.unicode", message }],
  });
}
