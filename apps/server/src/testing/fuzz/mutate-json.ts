import type { Random } from "../seeded-random.ts";
import { hostileJson, hostileKeys } from "./hostile.ts";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

function countValues(value: unknown): number {
  if (!isObject(value)) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner), 1);
}

/**
 * The text of a JSON value that was true to the contract, with up to four of its values made hostile. It is written by
 * hand, since what is told apart here (a key that stands twice, 1e400, half a surrogate) no value could hold.
 */
export function mutatedJson(random: Random, source: unknown): string {
  const values = countValues(source);
  const times = random.chance(0.1) ? 0 : random.chance(0.7) ? 1 : random.between(2, 4);
  const targets = new Set(Array.from({ length: times }, () => random.between(0, values - 1)));
  let place = 0;

  const plain = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map((inner) => written(inner)).join(",")}]`;
    if (!isObject(value)) return JSON.stringify(value) ?? "null";
    return `{${Object.entries(value)
      .map(([key, inner]) => member(key, inner))
      .join(",")}}`;
  };
  const written = (value: unknown): string => {
    const hit = targets.has(place);
    place += 1;
    const text = plain(value);
    return hit ? hostileForm(random, text) : text;
  };
  const member = (key: string, value: unknown): string => {
    const hit = targets.has(place) && random.chance(0.3);
    const text = `${JSON.stringify(key)}:${written(value)}`;
    return hit ? hostileMember(random, key, text) : text;
  };
  return written(source);
}

function hostileForm(random: Random, text: string): string {
  const forms = [
    () => random.pick(hostileJson),
    () => `[${text}]`,
    () => `{"value":${text}}`,
    () => JSON.stringify(text),
    () => `[${`${text},`.repeat(random.between(1, 200)).slice(0, 20_000)}${text}]`,
    () =>
      text.replace(
        /"(?=[^"]*$)/,
        `${random.pick(["\\u0000", "\\ud800", " ", "\u202e", "\u{1f4a5}", "x".repeat(2_000)])}"`,
      ),
    () => text.replace(/\d+/, (digits) => `${digits}${random.pick(["0", "e9", ".5", "999999999999"])}`),
  ];
  return random.chance(0.6) ? random.pick(hostileJson) : random.pick(forms)();
}

function hostileMember(random: Random, key: string, text: string): string {
  const hostile = `${JSON.stringify(random.pick(hostileKeys))}:${random.pick(hostileJson)}`;
  const forms = [
    () => hostile,
    () => `${text},${text}`,
    () => `${text},${JSON.stringify(key)}:${random.pick(hostileJson)}`,
    () => `${text},${hostile}`,
    () => text.replace(key, key.toUpperCase()),
  ];
  return random.pick(forms)();
}
