import type { World } from "../world.ts";
import { type Paint, paintFor } from "./paint.ts";
import { type Column, tableLines } from "./table.ts";

/** How a command speaks: to people in lines and tables, to programs in JSON, one value a line. */
export type Printer = {
  readonly json: boolean;
  readonly paint: Paint;
  /** Columns of the terminal; undefined where there is none, and nothing is cut. */
  readonly columns: number | undefined;
  readonly lines: (...lines: readonly string[]) => Promise<void>;
  /** Text as it is, without a line end of its own. */
  readonly raw: (text: string) => Promise<void>;
  /** One JSON value on a line of its own. */
  readonly value: (value: unknown) => Promise<void>;
  readonly table: <Row>(
    columns: readonly Column<Row>[],
    rows: readonly Row[],
    empty: string,
  ) => Promise<void>;
  /** Beside the answer: what a pipe must not carry on. Nothing of it is said to programs. */
  readonly aside: (...lines: readonly string[]) => Promise<void>;
};

export function printerFor({ out, err, environment }: World, { json }: { json: boolean }): Printer {
  const paint = paintFor(out, environment);
  const columns = out.isTerminal ? (environment.columns ?? out.columns ?? 80) : undefined;
  const lines = async (...texts: readonly string[]) => {
    if (texts.length > 0) await out.write(`${texts.join("\n")}\n`);
  };
  return {
    json,
    paint,
    columns,
    lines,
    raw: (text) => out.write(text),
    value: (value) => out.write(`${JSON.stringify(value)}\n`),
    async table(shape, rows, empty) {
      if (rows.length > 0) await lines(...tableLines(shape, rows, { paint, available: columns }));
      else await err.write(`${empty}\n`);
    },
    async aside(...texts) {
      if (!json && texts.length > 0) await err.write(`${texts.join("\n")}\n`);
    },
  };
}
