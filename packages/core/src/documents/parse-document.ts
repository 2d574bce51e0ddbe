import type { z } from "zod";
import { readDocumentText } from "./document-text.ts";
import { faultAt, type Finding, inOrder, type Parsed } from "./fault.ts";
import { findingsFrom } from "./findings.ts";

/**
 * Text → document, or every fault at once. `crossCheck` sees the plain value even where the shape is broken, so that
 * a wrong duration does not hide a cycle; it must take a value of any shape.
 */
export function parseDocument<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  crossCheck: (value: unknown) => readonly Finding[],
): Parsed<z.output<Schema>> {
  const source = readDocumentText(text);
  if (source.kind === "refused") return source;
  const { value, place } = source.document;
  const shaped = schema.safeParse(value);
  const findings = [...(shaped.success ? [] : findingsFrom(shaped.error, value)), ...crossCheck(value)];
  if (shaped.success && findings.length === 0) return { kind: "valid", document: shaped.data };
  return {
    kind: "refused",
    faults: inOrder(findings.map((finding) => faultAt(place(finding.path, finding.at), finding))),
  };
}
