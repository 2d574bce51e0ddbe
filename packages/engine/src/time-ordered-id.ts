import type { System } from "./system.ts";

/** A UUID of version 7 (RFC 9562 §5.7): ids of one time lie together in an index. The time in it is nobody's evidence. */
export function newTimeOrderedId({ clock, randomBytes }: Pick<System, "clock" | "randomBytes">): string {
  const bytes = Buffer.from(randomBytes(16));
  bytes.writeUIntBE(clock.now().getTime(), 0, 6);
  bytes[6] = 0x70 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}
