import { isObject } from "./codec.ts";

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, in seconds: the mapping has no text for anything beyond. */
const EARLIEST = -62_135_596_800;
const LATEST = 253_402_300_799;
const LONGEST = 315_576_000_000;
const NANOS = 1_000_000_000;

/** A google.protobuf.Timestamp as RFC 3339, with 0, 3, 6 or 9 digits after the point. */
export function timestampText(value: unknown): string | undefined {
  const { seconds, nanos } = partsOf(value) ?? { seconds: Number.NaN, nanos: 0 };
  if (!(seconds >= EARLIEST && seconds <= LATEST) || nanos < 0) return undefined;
  const whole = new Date(seconds * 1_000).toISOString().slice(0, 19);
  return `${whole}${fraction(nanos)}Z`;
}

/** A google.protobuf.Duration in seconds, with 0, 3, 6 or 9 digits after the point. */
export function durationText(value: unknown): string | undefined {
  const { seconds, nanos } = partsOf(value) ?? { seconds: Number.NaN, nanos: 0 };
  if (!(Math.abs(seconds) <= LONGEST)) return undefined;
  if ((seconds > 0 && nanos < 0) || (seconds < 0 && nanos > 0)) return undefined;
  const sign = seconds < 0 || nanos < 0 ? "-" : "";
  return `${sign}${Math.abs(seconds)}${fraction(Math.abs(nanos))}s`;
}

function partsOf(value: unknown): { seconds: number; nanos: number } | undefined {
  if (!isObject(value)) return undefined;
  const { seconds = 0n, nanos = 0 } = value;
  if (typeof seconds !== "bigint" || typeof nanos !== "number" || Math.abs(nanos) >= NANOS) return undefined;
  return { seconds: Number(seconds), nanos };
}

function fraction(nanos: number): string {
  if (nanos === 0) return "";
  const digits = String(nanos).padStart(9, "0");
  if (digits.endsWith("000000")) return `.${digits.slice(0, 3)}`;
  return `.${digits.endsWith("000") ? digits.slice(0, 6) : digits}`;
}
