import type { Violation } from "@signalbox/contracts";
import { isRole, roles } from "../caller.ts";
import { findPackNameFaults } from "../pack-name.ts";
import { findNameFaults } from "./members.ts";

const longestLabel = 80;
const mostPacks = 100;
const mostDays = 3_650;

export type KeyWish = {
  label: string;
  role: string;
  packIds?: readonly string[] | undefined;
  expiresInDays?: number | undefined;
};

/** KEY-1, KEY-2: every fault of a key that is asked for. */
export function findKeyFaults({ label, role, packIds, expiresInDays }: KeyWish): Violation[] {
  return [
    ...findNameFaults("label", label, longestLabel),
    ...(isRole(role) ? [] : [{ field: "role", rule: "role", message: `must be one of ${roles.join(", ")}` }]),
    ...packFaults(role, packIds),
    ...(expiresInDays === undefined || inRange(expiresInDays)
      ? []
      : [{ field: "expiresInDays", rule: "range", message: `a whole number from 1 to ${mostDays}` }]),
  ];
}

const inRange = (days: number): boolean => Number.isInteger(days) && days >= 1 && days <= mostDays;

function packFaults(role: string, packIds: readonly string[] | undefined): Violation[] {
  const field = "packIds";
  if (role !== "agent") {
    if (packIds === undefined) return [];
    return [{ field, rule: "agents_only", message: "only an agent's key is bound to packs" }];
  }
  if (packIds === undefined || packIds.length === 0 || packIds.length > mostPacks) {
    const message = `names ${packIds?.length ?? 0} packs; an agent's key speaks for 1 to ${mostPacks}`;
    return [{ field, rule: "packs.items", message }];
  }
  return packIds.flatMap((packId, index) => {
    const at = `${field}[${index}]`;
    if (packId === "") return [{ field: at, rule: "name.min_len", message: "must not be empty" }];
    return findPackNameFaults({ packId, packVersion: "" }).map(({ rule, message }) => ({
      field: at,
      rule,
      message,
    }));
  });
}
