import type { Random } from "../seeded-random.ts";

const kept = 64;
const told = /"(pipelineId|dispatchId|escalationId|traceId|nextCursor|cursor)":"([^"\\]{1,400})"/g;

export type LiveNames = ReturnType<typeof liveNames>;

/** What the server names in its answers, for later requests to speak of: what is not there is refused too soon. */
export function liveNames() {
  const names = new Map<string, string[]>();
  const add = (kind: string, name: string): void => {
    const known = names.get(kind) ?? [];
    if (known.includes(name)) return;
    names.set(kind, [...known, name].slice(-kept));
  };
  const take = (random: Random, kind: string): string | undefined => {
    const share = random.next();
    const known = names.get(kind) ?? [];
    return known[Math.floor(share * known.length)];
  };
  return {
    harvest(text: string): void {
      for (const [, kind = "", name = ""] of text.matchAll(told)) {
        add(kind === "nextCursor" ? "cursor" : kind, name);
      }
    },
    take,
    /** The same text, speaking of what is there. */
    putInto: (random: Random, text: string): string =>
      text.replaceAll(/"(dispatchId|traceId|cursor|after)":"[^"]*"/g, (whole, kind: string) => {
        const name = take(random, kind === "after" ? "cursor" : kind);
        return name === undefined ? whole : `"${kind}":"${name}"`;
      }),
  };
}
