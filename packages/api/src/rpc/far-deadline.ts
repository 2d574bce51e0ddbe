/** Longer than any call may last, and short enough for a timer: beyond 2^31 ms Node fires it at once, and warns. */
const far = { "grpc-timeout": "1000000S", "connect-timeout-ms": "1000000000" } as const;
const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1_000 };

const isFar = (ms: number): boolean => ms >= 2 ** 31;

/** A deadline that no timer can keep becomes one that Connect refuses in the same words, before its timer is set. */
export function withoutFarDeadlines(header: Headers): Headers {
  const [, amount, unit = ""] = /^(\d{1,8})([HMS])$/.exec(header.get("grpc-timeout") ?? "") ?? [];
  const milliseconds = /^\d{1,10}$/.exec(header.get("connect-timeout-ms") ?? "")?.[0];
  const kept = new Headers(header);
  if (isFar(Number(amount ?? 0) * (unitMs[unit] ?? 0))) kept.set("grpc-timeout", far["grpc-timeout"]);
  if (isFar(Number(milliseconds ?? 0))) kept.set("connect-timeout-ms", far["connect-timeout-ms"]);
  return kept;
}
