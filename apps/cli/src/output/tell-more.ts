import type { Printer } from "./printer.ts";

/** A list that was cut says so, and how to go on: what is not shown must not be taken for what is not there. */
export async function tellMore(printer: Printer, nextCursor: string | undefined): Promise<void> {
  if (nextCursor === undefined) return;
  await printer.aside(`There is more: --cursor ${nextCursor} goes on, --limit shows more at once.`);
}
