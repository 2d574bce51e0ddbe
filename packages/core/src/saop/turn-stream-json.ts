import type { TurnStream } from "./turn-stream.ts";

/** SAOP-11. The text holds what may be secret: it is stored sealed, and nowhere else. */
export const printTurnStream = (stream: TurnStream): string => JSON.stringify(stream);

/** What `printTurnStream` printed: the seal shows that it is nobody else's. */
export const readTurnStream = (text: string): TurnStream =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- printed here, and sealed since
  JSON.parse(text) as TurnStream;
