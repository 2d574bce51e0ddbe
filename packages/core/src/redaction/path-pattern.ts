import type { DescMessage } from "@bufbuild/protobuf";
import {
  AgentResultSchema,
  AuditEntrySchema,
  PipelineSchema,
  TaskEnvelopeSchema,
} from "@signalbox/contracts";
import { wordsOf } from "./credential-name.ts";

/** `**` stands for any number of fields, `*` for one; a name stands for the field in any spelling. */
export type PathSegment =
  | { readonly kind: "any" }
  | { readonly kind: "one" }
  | { readonly kind: "name"; readonly names: ReadonlySet<string> };

/** One spelling for `authScopes`, `auth_scopes` and `Auth-Scopes`. */
export const normalName = (name: string): string => wordsOf(name).join("_");

/**
 * Reads `safety_context.auth_scopes` or `**\/*.token`. A path holds at any depth; positions in lists do not count. Its
 * first name may be a message of the contract, and then stands for every field that holds one. The fault, as text,
 * where it cannot be read.
 */
export function parsePath(text: string): PathSegment[] | string {
  const parts = text.split(/[./]/);
  if (text.length > 256 || parts.length > 16) return "a path has at most 256 characters and 16 parts";
  const segments: PathSegment[] = [];
  for (const part of parts) {
    if (part === "**") segments.push({ kind: "any" });
    // In `**/*.token` the star is the message that holds the field, and the outermost message is one too.
    else if (part === "*") segments.push({ kind: segments.at(-1)?.kind === "any" ? "any" : "one" });
    else if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(part))
      return `"${part.slice(0, 40)}" in "${text.slice(0, 80)}" is no part of a path; allowed are a field's name, * and **`;
    else
      segments.push({
        kind: "name",
        names: namesOf(
          part,
          segments.every(({ kind }) => kind === "any"),
        ),
      });
  }
  return segments.at(-1)?.kind === "name" ? segments : `"${text.slice(0, 80)}" ends with no field's name`;
}

function namesOf(part: string, first: boolean): ReadonlySet<string> {
  const name = normalName(part);
  return new Set([name, ...(first ? (fieldsByMessage.get(name) ?? []) : [])]);
}

/** Names of the fields that hold a message, by the message's name: an EvidenceItem stands in `items`. */
const fieldsByMessage = collectFields([
  TaskEnvelopeSchema,
  AgentResultSchema,
  PipelineSchema,
  AuditEntrySchema,
]);

function collectFields(roots: readonly DescMessage[]): ReadonlyMap<string, ReadonlySet<string>> {
  const fields = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const open = [...roots];
  for (let message = open.pop(); message !== undefined; message = open.pop()) {
    if (seen.has(message.typeName)) continue;
    seen.add(message.typeName);
    for (const field of message.fields) {
      if (field.message === undefined) continue;
      const name = normalName(field.message.name);
      fields.set(name, (fields.get(name) ?? new Set()).add(field.name));
      open.push(field.message);
    }
  }
  return fields;
}
