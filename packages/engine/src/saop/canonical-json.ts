/** One text for one JSON value, whatever order its members came in: protobuf's Struct keeps none. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    const members = Object.entries(part);
    return Object.fromEntries(members.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
