import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import { manifestOf, registerPack } from "./rest.ts";
import type { Stack } from "./stack.ts";

/** The policy of the demonstration. */
export const examplePolicy = readFileSync(
  join(import.meta.dirname, "../examples/config/routing-policy.yaml"),
  "utf8",
);
const packs = ["senior-python-dev", "senior-ts-dev", "generalist-dev", "qa-engineer", "security-reviewer"];

/** The packs that it names. */
export async function registerItsPacks(stack: Stack): Promise<void> {
  for (const packId of packs)
    await registerPack(stack, manifestOf(packId, "1.0.0", { supportedTaskTypes: ["code-review"] }));
}

/** Kept under another version, and in force where that is wanted. */
export async function putPolicy({ origin, key }: Stack, version: string, publish = false) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/yaml" };
  const body = examplePolicy.replace(`version: "1.0.0"`, `version: "${version}"`);
  const path = `${origin}/v1/routing-policies`;
  expect((await fetch(path, { method: "POST", headers, body })).status).toBe(201);
  if (!publish) return;
  const published = await fetch(`${path}/${version}/publish`, {
    method: "POST",
    headers: { authorization: headers.authorization },
  });
  expect(published.status).toBe(200);
}
export const storedText = async ({ origin, key }: Stack, version: string): Promise<string> => {
  const answer = await fetch(`${origin}/v1/routing-policies/${version}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { text }: { text: string } = JSON.parse(await answer.text());
  return text;
};
