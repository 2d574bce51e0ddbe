import type { StreamState } from "../redaction/stream-redactor.ts";
import type { TurnStream } from "./turn-stream.ts";

/** SAOP-11. The text holds what may be secret: it is stored sealed, unless it `saysNothing`. */
export const printTurnStream = (stream: TurnStream): string => JSON.stringify(stream);

/** What `printTurnStream` printed: the seal shows that it is nobody else's. */
export const readTurnStream = (text: string): TurnStream =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed here, and sealed since
  JSON.parse(text) as TurnStream;

/** SAOP-13. Nothing of what an agent said is in it: no event waits, no text is held, and the last line has ended. */
export const saysNothing = ({ held, thought, pulse }: TurnStream): boolean =>
  held.length === 0 && isAtLineStart(thought) && isAtLineStart(pulse);

const isAtLineStart = ({ line, scan: { context, held, region, expected } }: StreamState): boolean =>
  line === "" &&
  held === "" &&
  (context === "" || context === "\n") &&
  region === undefined &&
  expected.length === 0;
