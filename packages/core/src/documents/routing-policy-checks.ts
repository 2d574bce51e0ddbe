import type { FieldPath } from "@signalbox/contracts";
import { z } from "zod";
import type { Finding } from "./fault.ts";
import { allowedNames } from "./nearest-name.ts";
import { parsePackReference } from "./pack-reference.ts";

/** The ids of the packs that are registered, whatever their version. */
export type KnownPacks = ReadonlySet<string>;

// What the checks need of a value of any shape; what is misshapen reads as absent, for the shape has reported it.
const text = z.string().optional().catch(undefined);
const route = z
  .object({
    task_type: text,
    allowed_pack_ids: z.array(text).catch([]),
    preferred_pack_id: text,
    fallback_pack_id: text,
  })
  .catch({
    task_type: undefined,
    allowed_pack_ids: [],
    preferred_pack_id: undefined,
    fallback_pack_id: undefined,
  });
const policy = z.object({
  routing_policy: z.object({
    routes: z.array(route).catch([]),
    defaults: z.object({ fallback_pack_id: text }).catch({ fallback_pack_id: undefined }),
  }),
});

const within = (...path: FieldPath): FieldPath => ["routing_policy", ...path];

export function checkRoutingPolicy(value: unknown, known: KnownPacks | undefined): Finding[] {
  const outline = policy.safeParse(value);
  if (!outline.success) return [];
  const { routes, defaults } = outline.data.routing_policy;
  return [
    ...duplicates(
      routes.map((read) => read.task_type),
      (index) => within("routes", index, "task_type"),
      "task type",
    ),
    ...routes.flatMap((read, index) =>
      checkRoute(read, (...path) => within("routes", index, ...path), known),
    ),
    ...unknownPack(defaults.fallback_pack_id, within("defaults", "fallback_pack_id"), known),
  ];
}

function checkRoute(
  read: z.output<typeof route>,
  at: (...path: FieldPath) => FieldPath,
  known: KnownPacks | undefined,
): Finding[] {
  const allowed = read.allowed_pack_ids.map((id) =>
    id === undefined ? undefined : parsePackReference(id).packId,
  );
  const preferred = read.preferred_pack_id;
  const notAllowed = preferred !== undefined && allowed.length > 0 && !allowed.includes(preferred);
  return [
    ...duplicates(allowed, (index) => at("allowed_pack_ids", index), "pack"),
    ...read.allowed_pack_ids.flatMap((id, index) => unknownPack(id, at("allowed_pack_ids", index), known)),
    ...unknownPack(preferred, at("preferred_pack_id"), known),
    ...unknownPack(read.fallback_pack_id, at("fallback_pack_id"), known),
    ...(notAllowed ? [preferredNotAllowed(preferred, at("preferred_pack_id"), allowed)] : []),
  ];
}

const preferredNotAllowed = (
  preferred: string,
  path: FieldPath,
  allowed: (string | undefined)[],
): Finding => ({
  path,
  at: "value",
  rule: "preferred_not_allowed",
  message: `"${preferred}" is not among the route's allowed_pack_ids. ${allowedNames(
    preferred,
    allowed.filter((id) => id !== undefined),
  )}`,
});

/** A finding where nobody has registered what is named. */
export function unknownPack(
  reference: string | undefined,
  path: FieldPath,
  known: KnownPacks | undefined,
): Finding[] {
  if (reference === undefined || known === undefined) return [];
  const { packId } = parsePackReference(reference);
  if (known.has(packId)) return [];
  const others =
    known.size === 0
      ? "None is yet: register packs first, by POST /v1/packs"
      : allowedNames(packId, [...known].toSorted());
  const message = `no pack "${packId}" is registered. ${others}`;
  return [{ path, at: "value", rule: "unknown_pack", message }];
}

/** A finding for each name that stands a second time. */
export function duplicates(
  names: readonly (string | undefined)[],
  pathOf: (index: number) => FieldPath,
  what: string,
): Finding[] {
  const first = new Map<string, number>();
  return names.flatMap((read, index): Finding[] => {
    if (read === undefined) return [];
    const before = first.get(read);
    if (before === undefined) {
      first.set(read, index);
      return [];
    }
    const message = `the ${what} "${read}" stands here a second time; entry ${before + 1} has it already`;
    return [{ path: pathOf(index), at: "value", rule: "duplicate", message }];
  });
}
