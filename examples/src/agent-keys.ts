import { readPacks } from "./files.ts";
import { listAt, type Rest, textAt } from "./rest.ts";

/** By this its keys are told from others' when they are withdrawn. */
const labelOf = (packId: string): string => `demonstration ${packId}`;
const lastDays = 30;

/** A key for each agent, good for its own pack and no other. Those of an earlier start, which may have been killed, go. */
export async function makeKeys(rest: Rest): Promise<ReadonlyMap<string, string>> {
  await revokeKeys(rest);
  const keys = new Map<string, string>();
  for (const { packId } of readPacks()) {
    const wish = { label: labelOf(packId), role: "agent", packIds: [packId], expiresInDays: lastDays };
    keys.set(packId, textAt((await rest("POST", "/v1/keys", wish)).json, "secret"));
  }
  return keys;
}

export async function revokeKeys(rest: Rest): Promise<void> {
  const labels = new Set(readPacks().map(({ packId }) => labelOf(packId)));
  const { json } = await rest("GET", "/v1/keys?limit=100");
  const own = listAt(json, "keys").filter(
    (key) => labels.has(textAt(key, "label")) && textAt(key, "revokedAt") === "",
  );
  for (const key of own) await rest("DELETE", `/v1/keys/${textAt(key, "keyId")}`);
}
