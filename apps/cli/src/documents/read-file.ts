import { type DocumentKind, type DocumentOf, type Fault, readDocument } from "@signalbox/core";
import { CommandEnded } from "../failure.ts";
import { faultLines } from "../output/faults-text.ts";
import type { Printer } from "../output/printer.ts";
import { readInput } from "../read-input.ts";
import type { World } from "../world.ts";

export type WrittenDocument<K extends DocumentKind> = {
  readonly file: string;
  readonly text: string;
  readonly document: DocumentOf[K];
};

/** The document in a file. One with faults is told with all of them, and the command ends. */
export async function readDocumentFile<K extends DocumentKind>(
  world: World,
  printer: Printer,
  kind: K,
  file: string,
): Promise<WrittenDocument<K>> {
  const text = await readInput(world, file);
  const read = readDocument(kind, text);
  if (read.kind === "valid") return { file, text, document: read.document };
  await tellFaults(printer, file, text, read.faults);
  throw new CommandEnded("failed");
}

/** Faults are the answer of a check, and stand where its answer stands. */
export async function tellFaults(
  printer: Printer,
  file: string,
  text: string,
  faults: readonly Fault[],
): Promise<void> {
  if (printer.json) return printer.value({ file, valid: false, version: null, faults });
  const count = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  await printer.lines(
    ...faultLines(file, text, faults, printer),
    `${printer.paint("bad", "✗")} ${file} has ${count}.`,
  );
}
