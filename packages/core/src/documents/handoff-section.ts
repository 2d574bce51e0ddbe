import type { FieldPath } from "@signalbox/contracts";
import { z } from "zod";
import type { Finding } from "./fault.ts";
import { allowedNames } from "./nearest-name.ts";
import { type KnownPacks, unknownPack } from "./routing-policy-checks.ts";
import { closed, name } from "./shape.ts";

/** Who may hand a stage on to whom (D24); who and what is not named may be any, whither is always named. */
export type HandoffRule = {
  /** What the stage is at the moment. */
  readonly taskTypes: readonly string[] | undefined;
  /** Whose dispatch it is. */
  readonly packIds: readonly string[] | undefined;
  readonly toTaskTypes: readonly string[];
  readonly toPackIds: readonly string[];
};

const names = z.array(name).min(1).max(1000);

const rule = closed({
  task_types: names.optional(),
  pack_ids: names.optional(),
  to_task_types: names.optional(),
  to_pack_ids: names.optional(),
})
  .refine(({ to_task_types, to_pack_ids }) => to_task_types !== undefined || to_pack_ids !== undefined, {
    error: "says nothing of where a stage may go; name to_task_types, to_pack_ids or both",
  })
  .transform((read): HandoffRule => ({
    taskTypes: read.task_types,
    packIds: read.pack_ids,
    toTaskTypes: read.to_task_types ?? [],
    toPackIds: read.to_pack_ids ?? [],
  }));

export const handoffSection = z.array(rule).max(1000);

// What is misshapen reads as absent, for the shape has reported it.
const text = z.string().optional().catch(undefined);
const texts = z.array(text).catch([]);
const outlineOf = z.object({
  routing_policy: z.object({
    routes: z.array(z.object({ task_type: text }).catch({ task_type: undefined })),
  }),
  handoffs: z.array(
    z
      .object({ task_types: texts, pack_ids: texts, to_task_types: texts, to_pack_ids: texts })
      .partial()
      .catch({}),
  ),
});

/** DOC-17: a rule that names what is not there would allow nothing, and look as if it did. */
export function checkHandoffSection(value: unknown, known: KnownPacks | undefined): Finding[] {
  const outline = outlineOf.safeParse(value);
  if (!outline.success) return [];
  const routed = new Set(outline.data.routing_policy.routes.flatMap((route) => route.task_type ?? []));
  return outline.data.handoffs.flatMap((said, index) => {
    const at = (field: string, place: number): FieldPath => ["handoffs", index, field, place];
    const packs = (field: "pack_ids" | "to_pack_ids") =>
      (said[field] ?? []).flatMap((id, place) => unknownPack(id, at(field, place), known));
    const types = (field: "task_types" | "to_task_types") =>
      (said[field] ?? []).flatMap((type, place) => unrouted(type, at(field, place), routed));
    return [types("task_types"), packs("pack_ids"), types("to_task_types"), packs("to_pack_ids")].flat();
  });
}

function unrouted(type: string | undefined, path: FieldPath, routed: ReadonlySet<string>): Finding[] {
  if (type === undefined || routed.has(type)) return [];
  const message = `no route of this policy has the task type "${type}". ${allowedNames(type, [...routed].toSorted())}`;
  return [{ path, at: "value", rule: "unknown_task_type", message }];
}

/** The section as a document says it. */
export const plainHandoffs = (rules: readonly HandoffRule[]) =>
  rules.map(({ taskTypes, packIds, toTaskTypes, toPackIds }) => ({
    task_types: taskTypes,
    pack_ids: packIds,
    to_task_types: toTaskTypes.length === 0 ? undefined : toTaskTypes,
    to_pack_ids: toPackIds.length === 0 ? undefined : toPackIds,
  }));
