import { SignalboxError } from "@signalbox/contracts";
import type { FastifyRequest } from "fastify";

/** A draft's edit as an entity tag: who changes it says which one they read. */
export const entityTag = (edit: number): string => `"${edit}"`;

/** The edit that `If-Match` names; undefined where it is absent, or is `*` for whatever is there. */
export function editOf({ headers }: FastifyRequest): number | undefined {
  const given = headers["if-match"]?.trim();
  if (given === undefined || given === "*") return undefined;
  const edit = /^"(\d{1,9})"$/.exec(given)?.[1];
  if (edit !== undefined) return Number(edit);
  throw refuse(
    "entity_tag",
    `is ${given.slice(0, 60)}; one entity tag as an ETag header gave it, such as "3"`,
  );
}

/** Of two authors the later must learn of the other, so a change without it is refused. */
export function requireEdit(request: FastifyRequest): number {
  const edit = editOf(request);
  if (edit !== undefined) return edit;
  throw refuse("required", "names the edit that was read, as its ETag header gave it");
}

const refuse = (rule: string, message: string) =>
  new SignalboxError("VALIDATION_FAILED", "The If-Match header cannot be used.", {
    violations: [{ field: "If-Match", rule, message }],
  });
