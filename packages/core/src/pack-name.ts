import type { AgentManifest, Violation } from "@signalbox/contracts";

/** In UTF-16 units. With the longest tenant id both still fit an index row of PostgreSQL, four bytes a character. */
export const packNameLimits = { packId: 400, packVersion: 100 };

/** What keeps a pack from being found again under its name: a version never changes, so it is refused before it is kept. */
export function findPackNameFaults({
  packId,
  packVersion,
}: Pick<AgentManifest, "packId" | "packVersion">): Violation[] {
  return [
    ...tooLong("pack_id", packId, packNameLimits.packId),
    ...tooLong("pack_version", packVersion, packNameLimits.packVersion),
    ...unfit(packId),
  ];
}

function tooLong(field: string, text: string, most: number): Violation[] {
  if (text.length <= most) return [];
  return [
    { field, rule: "name.max_len", message: `has ${text.length} characters; at most ${most} are allowed` },
  ];
}

function unfit(packId: string): Violation[] {
  // A browser reads "." and ".." in a URL as steps, even when they are escaped.
  const message =
    packId === "." || packId === ".."
      ? `must not be "${packId}", which no URL can name`
      : packId.trim() !== packId || /\p{Cc}/u.test(packId)
        ? "must not begin or end with white space, nor hold a control character"
        : undefined;
  return message === undefined ? [] : [{ field: "pack_id", rule: "name.fit", message }];
}
