import { readPublishedDocument } from "@signalbox/core";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { CommandEnded, CommandFailure } from "../failure.ts";
import { cleanText } from "../output/clean-text.ts";
import type { Printer } from "../output/printer.ts";
import type { World } from "../world.ts";
import type { StoredDocument } from "./answers.ts";
import { type DocumentKind, kinds } from "./kinds.ts";
import { meaningDiff } from "./meaning-diff.ts";
import { readDocumentFile, type WrittenDocument } from "./read-file.ts";
import { findStored } from "./stored.ts";
import { textDiff } from "./text-diff.ts";

type Options = CommonOptions & { readonly exitCode?: boolean | undefined };

/** What would be another if the file took a stored version's place. */
export async function diffFile(
  world: World,
  kind: DocumentKind,
  { file, version }: { file: string; version: string },
  options: Options,
): Promise<void> {
  const { client, printer } = await visit(world, options);
  const written = await readDocumentFile(world, printer, kind, file);
  const stored = await findStored(client, kind, version);
  if (stored === undefined && version !== "active") {
    throw new CommandFailure("failed", `There is no ${kinds[kind].noun} ${version}.`);
  }
  const differs = stored?.text !== written.text;
  if (printer.json) {
    const changes = changesFrom(kind, stored, written);
    await printer.value({ file, against: stored?.version ?? null, differs, changes });
  } else if (differs) await tellDifference(printer, kind, stored, written);
  else await printer.aside(`${file} is ${kinds[kind].noun} ${stored.version}, to the letter.`);
  if (differs && options.exitCode === true) throw new CommandEnded("failed");
}

export async function tellDifference<K extends DocumentKind>(
  printer: Printer,
  kind: K,
  stored: StoredDocument | undefined,
  written: WrittenDocument<K>,
): Promise<void> {
  const name = stored === undefined ? "nothing" : `${stored.version} (${stored.status})`;
  const before = { name, text: stored?.text ?? "" };
  await printer.lines(...textDiff(before, { name: written.file, text: written.text }, printer.paint));
  const changes = changesFrom(kind, stored, written);
  if (changes === null) return;
  await printer.lines(
    "",
    ...(changes.length === 0
      ? ["It means the same."]
      : ["What it means:", ...changes.map((line) => `  ${cleanText(line)}`)]),
  );
}

/** Null where the stored text cannot be read any more, or there is none: then only the texts are compared. */
export function changesFrom<K extends DocumentKind>(
  kind: K,
  stored: StoredDocument | undefined,
  { document }: WrittenDocument<K>,
): string[] | null {
  if (stored === undefined) return null;
  const read = readPublishedDocument(kind, stored.text);
  return read.kind === "valid" ? meaningDiff(kind, read.document, document) : null;
}
