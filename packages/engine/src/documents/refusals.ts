import { SignalboxError } from "@signalbox/contracts";
import {
  describeDocumentRefusal,
  type DocumentKind,
  documentNouns,
  type DocumentOf,
  type DocumentRefusal,
  documentRefusalCode,
  type Fault,
  type Parsed,
} from "@signalbox/core";

export const refuseDocument = (kind: DocumentKind, version: string, refusal: DocumentRefusal) =>
  new SignalboxError(
    documentRefusalCode[refusal.reason],
    describeDocumentRefusal(`${documentNouns[kind]} ${version}`, refusal),
  );

/** The document, or an error that names each fault by `line:column path`. */
export function validDocument<K extends DocumentKind>(kind: K, read: Parsed<DocumentOf[K]>): DocumentOf[K] {
  if (read.kind === "valid") return read.document;
  const { length } = read.faults;
  throw new SignalboxError(
    "VALIDATION_FAILED",
    `There ${length === 1 ? "is a fault" : `are ${length} faults`} in the ${documentNouns[kind]}; nothing was kept.`,
    { violations: read.faults.map(violationOf) },
  );
}

const violationOf = ({ line, column, path, rule, message }: Fault) => ({
  field: `${line}:${column} ${path}`.trimEnd(),
  rule,
  message,
});
