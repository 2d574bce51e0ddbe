import { z } from "zod";
import { SCAN_START } from "../redaction/scan.ts";
import type { StreamState } from "../redaction/stream-redactor.ts";
import type { TurnStream } from "./turn-stream.ts";

/** SAOP-11. The text holds what may be secret: it is stored sealed, unless the stream `saysNothing`. */
export const printTurnStream = (stream: TurnStream): string => JSON.stringify(stream);

/** What `printTurnStream` printed: for what was sealed, since the seal shows that it is nobody else's. */
export const readTurnStream = (text: string): TurnStream =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed here, and sealed since
  JSON.parse(text) as TurnStream;

/** SAOP-13. Nothing of what an agent said is in it: no event waits, no text is held, and the last line has ended. */
export const saysNothing = ({ held, thought, pulse }: TurnStream): boolean =>
  held.length === 0 && isAtLineStart(thought) && isAtLineStart(pulse);

const isAtLineStart = ({ line, scan }: StreamState): boolean =>
  line === "" &&
  scan.held === "" &&
  scan.blindUntil === 0 &&
  (scan.context === "" || scan.context === "\n") &&
  scan.region === undefined &&
  scan.expected.length === 0;

const atLineStart = z.strictObject({
  scan: z.strictObject({
    context: z.enum(["", "\n"]),
    held: z.literal(""),
    blindUntil: z.literal(0),
    expected: z.tuple([]),
  }),
  line: z.literal(""),
});
const sequence = z.int().nonnegative();
const silentStream = z.strictObject({
  received: z.array(z.tuple([sequence, sequence])).refine(areApart),
  thought: atLineStart,
  pulse: atLineStart,
  held: z.tuple([]),
});

function areApart(ranges: readonly (readonly [number, number])[]): boolean {
  return ranges.every(([from, to], index) => from <= to && from > (ranges[index - 1]?.[1] ?? -2) + 1);
}

/**
 * SAOP-13. A stream that says nothing, from a text that anybody may have changed: undefined where it is anything else, for
 * what it held could let a secret through (D21).
 */
export function readSilentStream(text: string): TurnStream | undefined {
  const read = silentStream.safeParse(parsed(text));
  if (!read.success) return undefined;
  const { received, thought, pulse } = read.data;
  return { received, thought: fromLineStart(thought), pulse: fromLineStart(pulse), held: [] };
}

const fromLineStart = ({ scan: { context } }: z.infer<typeof atLineStart>): StreamState => ({
  scan: { ...SCAN_START, context },
  line: "",
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
