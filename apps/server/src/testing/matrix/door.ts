import type { Action } from "@signalbox/core";
import type { Asker } from "./askers.ts";
import { missing, type Things } from "./things.ts";

/** Refused for who asks, let in, or what was wrong with the sample itself, which then shows nothing. */
export type Verdict = "let in" | 401 | 403 | { fault: string };
export type Said = { readonly verdict: Verdict; readonly told: string };

/** One thing that may be asked at a door: a route, a procedure, a method, a topic. */
export type Asked = {
  readonly name: string;
  /** All of these must be allowed. */
  readonly actions: readonly Action[];
  /** Whether its request names something, which may be another tenant's. */
  readonly names: boolean;
  readonly ask: (asker: Asker, things: Things) => Promise<Said>;
};

export const verdictOf = (status: number): Verdict => (status === 401 || status === 403 ? status : "let in");

const differing = [/"requestId":"[^"]*"/g, /\d{4}-\d\d-\d\dT[\d:.]+Z/g];

/** Without what differs from request to request: its id and its time, and the ids that it asked for. */
export function withoutIds(text: string, ids: Readonly<Record<string, string>>): string {
  // The longest first: an escalation's id begins with its pipeline's.
  const longestFirst = Object.entries(ids).toSorted(([, one], [, other]) => other.length - one.length);
  const bare = differing.reduce((all, one) => all.replaceAll(one, ""), text);
  return longestFirst.reduce((all, [name, id]) => (id === "" ? all : all.replaceAll(id, name)), bare);
}

/** Where what is said to somebody is not what the table says. */
export async function faultsOf(
  asked: readonly Asked[],
  askers: readonly Asker[],
  wantedOf: (asker: Asker, one: Asked) => Verdict,
): Promise<Record<string, unknown>> {
  const faults: Record<string, unknown> = {};
  const all = askers.map(async (asker) => {
    for (const one of asked) {
      const { verdict } = await one.ask(asker, missing);
      const wanted = wantedOf(asker, one);
      if (verdict !== wanted) faults[`${asker.name}: ${one.name}`] = { verdict, wanted };
    }
  });
  await Promise.all(all);
  return faults;
}

/** Where another tenant's tells more than what never was. */
export async function differencesOf(
  asked: readonly Asked[],
  askers: readonly Asker[],
  things: Things,
): Promise<Record<string, unknown>> {
  const faults: Record<string, unknown> = {};
  for (const one of asked.filter(({ names }) => names)) {
    for (const asker of askers) {
      const theirs = withoutIds((await one.ask(asker, things)).told, things);
      const never = withoutIds((await one.ask(asker, missing)).told, missing);
      if (theirs !== never) faults[`${asker.name}: ${one.name}`] = { theirs, never };
    }
  }
  return faults;
}
