import { durationInWords } from "../ui/duration.ts";

/** A value of JSON, as a reader who expects nothing of it takes it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type JsonObject = { readonly [name: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export type Change = { readonly kind: string; readonly subjectId: string; readonly set: JsonObject };
export type Snapshot = { readonly kind: string; readonly facts: JsonObject };

/** What stands in a payload beside what the list shows. A later server's forms are shown as they are. */
export function payloadOf(text: string): { snapshot: Snapshot | undefined; changes: readonly Change[] } {
  const payload: Json = JSON.parse(text);
  if (!isObject(payload)) return { snapshot: undefined, changes: [] };
  const { snapshot, changes } = payload;
  const [kind, facts] = isObject(snapshot) ? (Object.entries(snapshot)[0] ?? []) : [];
  return {
    snapshot: kind !== undefined && isObject(facts) ? { kind, facts } : undefined,
    changes: Array.isArray(changes) ? changes.flatMap(changeOf) : [],
  };
}

/** The object that a text holds as JSON; undefined where it is anything else. */
export function objectIn(text: string): JsonObject | undefined {
  try {
    const value: Json = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function changeOf(change: Json): Change[] {
  if (!isObject(change)) return [];
  const { kind, subjectId, set } = change;
  return [
    {
      kind: typeof kind === "string" ? kind : "",
      subjectId: typeof subjectId === "string" ? subjectId : "",
      set: isObject(set) ? set : {},
    },
  ];
}

/** `routingPolicyVersion` as people write it: "Routing policy version". */
export function wordsOfName(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/[_-]/g, " ")
    .toLowerCase();
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}

const enumPrefixes =
  /^(OUTCOME|CONFIDENCE|PIPELINE_STATUS|STAGE_STATUS|HEALTH_STATUS|CONTEXT_LEVEL|RISK_TIER|FAILURE_STRATEGY|ACTOR_TYPE)_(?=[A-Z])/;

const lasts = /^\d{1,12}(?:\.\d{1,9})?s$/;

/** A name of the contract and a duration of its JSON as people say them; any other text stays as it is. */
export function plainText(text: string): string {
  if (lasts.test(text)) return durationInWords(Number.parseFloat(text));
  return enumPrefixes.test(text) ? wordsOfName(text.replace(enumPrefixes, "")) : text;
}
