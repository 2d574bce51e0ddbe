import type { FaultRule } from "@signalbox/core";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { CommandEnded } from "../failure.ts";
import { printerFor } from "../output/printer.ts";
import type { World } from "../world.ts";
import { checked } from "./answers.ts";
import { type DocumentKind, kinds } from "./kinds.ts";
import { readDocumentFile, tellFaults } from "./read-file.ts";

type Options = CommonOptions & { readonly online?: boolean | undefined };

/** Says what is wrong with a document, without a server; with one, also what it does not have. */
export async function checkFile(
  world: World,
  kind: DocumentKind,
  file: string,
  options: Options,
): Promise<void> {
  const printer = printerFor(world, { json: options.json ?? false });
  const { text, document } = await readDocumentFile(world, printer, kind, file);
  if (options.online === true) {
    const { client } = await visit(world, options);
    const answer = await client.read(checked, "POST", `${kinds[kind].path}/check`, {
      body: text,
      contentType: "application/yaml",
    });
    if (!answer.valid) {
      const faults = answer.faults.map((fault) => Object.assign(fault, { rule: ruleOf(fault.rule) }));
      await tellFaults(printer, file, text, faults);
      throw new CommandEnded("failed");
    }
  }
  if (printer.json) return printer.value({ file, valid: true, version: document.version, faults: [] });
  const { noun } = kinds[kind];
  await printer.lines(`${printer.paint("good", "✓")} ${file}: ${noun} ${document.version} has no faults.`);
}

/** A server of another version may know rules that this one does not; a rule is only shown. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const ruleOf = (rule: string) => rule as FaultRule;
